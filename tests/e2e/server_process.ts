/** Server processes: forked from one that has imported mindviz, or started like a user's. */
import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

export const ROOT = resolve(__dirname, '../..');

/** The interpreter that runs mindviz and writes its logs. */
export function python(): string {
  const own = join(ROOT, '.venv/bin/python');
  return process.env['MINDVIZ_PYTHON'] ?? (existsSync(own) ? own : 'python3');
}

interface Events {
  output: [text: string];
  /** Exit code, or null after a signal. */
  exit: [code: number | null];
}

/** A server process with its output and exit code. */
export class ServerProcess extends EventEmitter<Events> {
  pid?: number;

  terminate(): void {
    if (this.pid !== undefined) process.kill(this.pid, 'SIGTERM');
  }
}

const OPTIONS = { cwd: ROOT, env: { ...process.env, PYTHONUNBUFFERED: '1' } } as const;

/** Starts `mindviz` with these arguments and additional environment variables. */
export function spawned(
  parameters: readonly string[],
  env: Readonly<Record<string, string>>,
): ServerProcess {
  const server = new ServerProcess();
  const child = spawn(python(), ['-m', 'mindviz', ...parameters], {
    ...OPTIONS,
    env: { ...OPTIONS.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) server.pid = child.pid;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => server.emit('output', text));
  }
  child.once('exit', (code) => server.emit('exit', code));
  return server;
}

type Message = { id: number } & ({ pid: number } | { output: string } | { code: number });

/** The process that servers are forked from, one for each Playwright worker. */
class Forks {
  private readonly servers = new Map<number, ServerProcess>();
  private readonly parent = spawn(python(), ['-m', 'tests.e2e.forked_servers'], {
    ...OPTIONS,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  private started = 0;

  constructor() {
    createInterface(this.parent.stdout).on('line', (line) => {
      this.receive(JSON.parse(line) as Message);
    });
    this.parent.once('exit', () => {
      for (const server of this.servers.values()) server.emit('exit', null);
    });
  }

  start(parameters: readonly string[]): ServerProcess {
    const id = ++this.started;
    const server = new ServerProcess();
    this.servers.set(id, server);
    this.parent.stdin.write(`${JSON.stringify({ id, arguments: parameters })}\n`);
    return server;
  }

  private receive(message: Message): void {
    const server = this.servers.get(message.id);
    if (!server) return;
    if ('pid' in message) server.pid = message.pid;
    else if ('output' in message) server.emit('output', message.output);
    else {
      this.servers.delete(message.id);
      server.emit('exit', message.code);
    }
  }
}

let forks: Forks | undefined;

/** Like `spawned`, in a fraction of the time. */
export function forked(parameters: readonly string[]): ServerProcess {
  forks ??= new Forks();
  return forks.start(parameters);
}
