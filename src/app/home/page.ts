// The start page: purpose, sign-in and links. Plain HTML without scripts.
import type { Login } from '../demo/index.ts';

export interface HomeFacts {
  /** Public address of this service, as far as it is known. */
  readonly address: string;
  /** Organizations with public logins; empty when no demo was seeded. */
  readonly organizations: readonly {
    readonly name: string;
    readonly note: string;
    readonly logins: readonly Login[];
  }[];
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

/** The only sentence that is not for developers. */
export const purposeAr = 'خدمة قياس القراءة العربية ودعمها في الصفوف من الأول إلى الرابع';

export function homePage({ address, organizations }: HomeFacts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Literacy assessment and intervention service</title>
<link rel="stylesheet" href="/home/style.css">
</head>
<body>
<main>
<h1>Literacy assessment and intervention service</h1>
<p lang="ar" dir="rtl" class="arabic">${purposeAr}</p>
<p>This is the API of a service that measures how children in grades 1 to 4 learn to read Arabic, turns their answers
into statuses by published rules, and explains every result.</p>
<ul>
<li><a href="/api/docs">Every operation, to read and to try</a> (<a href="/api/openapi.json">OpenAPI 3.1</a>)</li>
<li><a href="/home/README.md">README</a>: a tour in five requests, where things are, documents by reader</li>
<li><a href="/readyz">Is it ready?</a></li>
</ul>
${organizations.length > 0 ? signIn(address, organizations) : firstSteps}
</main>
</body>
</html>
`;
}

const firstSteps = `<h2>First steps</h2>
<p>The first registration makes the administrator of the whole service; the README names the request.</p>`;

function signIn(address: string, organizations: HomeFacts['organizations']): string {
  const [login] = organizations.at(-1)?.logins ?? [];
  return `<h2>Sign in</h2>
<p>Ask for a token, and send it as <code>Authorization: Bearer …</code> with every request. In the
<a href="/api/docs">description of the API</a> the button “Authorize” takes it too. Play the main job with <code>npm run
demo</code> in a second terminal.</p>
<pre>curl -s ${escaped(address)}/api/auth/login -H 'content-type: application/json' \\
  -d '{"email":"${escaped(login?.email ?? '')}","password":"${escaped(login?.password ?? '')}"}'</pre>
${organizations.map(loginTable).join('\n')}`;
}

function loginTable({ name, note, logins }: HomeFacts['organizations'][number]): string {
  const rows = logins.map(
    ({ primaryPersona, email, password }) =>
      `<tr><td>${escaped(primaryPersona)}</td><td><code>${escaped(email)}</code></td><td><code>${escaped(password)}</code></td></tr>`,
  );
  return `<h3><bdi lang="ar">${escaped(name)}</bdi> <small>${escaped(note)}</small></h3>
<div class="wide"><table><thead><tr><th>Who</th><th>E-mail</th><th>Password</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
}

export const homeStyle = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { margin-bottom: 0; }
.arabic { font-size: 1.25rem; margin-top: 0.25rem; }
small { font-weight: normal; opacity: 0.8; }
pre, .wide { overflow-x: auto; }
pre { padding: 0.75rem; border: 1px solid; border-radius: 0.25rem; }
table { border-collapse: collapse; }
th, td { text-align: start; padding: 0.2rem 1rem 0.2rem 0; }
`;
