// A proxy in front of a store, which makes it unreachable.
import net from 'node:net';

export interface Gate {
  /** Returns the URL through the proxy. */
  through(url: string): string;
  /** Closes open connections and refuses new ones. */
  shut(): void;
  /** Closes open connections; new ones are accepted. */
  cut(): void;
  /** Discards all data from then on, without closing connections. */
  silence(): void;
}

export async function gate(target: string): Promise<Gate> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<net.Socket>();
  let silent = false;
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from.on('error', () => {}));
      from.on('data', (bytes) => void (silent || to.write(bytes)));
      from.on('close', () => {
        sockets.delete(from);
        if (!silent) to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const own = (server.address() as net.AddressInfo).port;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    cut,
    through(url) {
      const changed = new URL(url);
      changed.port = String(own);
      return changed.href;
    },
    shut() {
      server.close();
      cut();
    },
    silence() {
      silent = true;
    },
  };
}
