// The shipped kinds of documents as the tests want them: what is printed, who is named and what fails is theirs to say.
import { capabilities } from '#app/capabilities.ts';
import type { Capability } from '#core/module/capability.ts';
import { denied } from '#core/platform/errors.ts';
import type { PreparedReport, ReportKind } from '#messaging/documents/index.ts';
import type { NoteProgress } from '#messaging/documents/services.ts';

export class Press {
  readonly rendered: string[] = [];
  named: readonly number[] = [];
  isInReach = true;
  total: number | undefined;
  render: (note: NoteProgress) => Promise<Uint8Array> = async () => Buffer.from('%PDF-');

  readonly kinds = capabilities
    .flatMap(({ reportKinds = [] }) => reportKinds)
    .map(
      (shipped): ReportKind => ({
        ...shipped,
        keepDays: 14,
        mostBytes: 20,
        prepare: async (_services, _trx, { id }): Promise<PreparedReport> => ({
          contentType: 'application/pdf',
          fileName: 'session-2026-01-15.pdf',
          studentIds: this.named,
          ...(this.total !== undefined && { total: this.total, counts: { pieces: this.total } }),
          render: (note) => {
            this.rendered.push(id);
            return this.render(note);
          },
        }),
        requireReach: async () => {
          if (!this.isInReach) throw denied();
        },
      }),
    );

  /** All that there are, and the kinds of this press in the place of those that are shipped. */
  readonly capabilities: readonly Capability[] = [
    { name: 'press', reportKinds: this.kinds },
    ...capabilities.map(({ reportKinds: _, ...others }) => others),
  ];

  /** As at first. */
  clean(): void {
    this.rendered.length = 0;
    this.named = [];
    this.isInReach = true;
    this.total = undefined;
    this.render = async () => Buffer.from('%PDF-');
  }
}
