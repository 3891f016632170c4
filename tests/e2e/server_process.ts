/** Processes of Python: forked from one that has imported mindviz, or started like a user's. */
import { execFileSync, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

/** Sends a request and waits for the answer. */
const ASK = 'printf "%s\\n" "$1" >"$2/requests" && cat "$2/answers"';

/** The process that others are forked from, one for each Playwright worker; see `forked_modules.py`. */
class Forks {
  private readonly servers = new Map<number, ServerProcess>();
  private readonly folder = mkdtempSync(join(tmpdir(), 'mindviz-e2e-'));
  private readonly parent;
  private started = 0;

  constructor() {
    execFileSync('mkfifo', ['requests', 'answers'], { cwd: this.folder });
    process.once('exit', () => {
      rmSync(this.folder, { recursive: true });
    });
    this.parent = spawn(python(), ['-m', 'tests.e2e.forked_modules', this.folder], {
      ...OPTIONS,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
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
    const request = { id, module: 'mindviz', arguments: parameters };
    this.parent.stdin.write(`${JSON.stringify(request)}\n`);
    return server;
  }

  run(module: string, parameters: readonly string[]): string {
    const request = JSON.stringify({ id: 0, module, arguments: parameters });
    const answer = execFileSync('sh', ['-c', ASK, 'sh', request, this.folder], {
      encoding: 'utf8',
      timeout: 120_000,
    });
    const { code, output } = JSON.parse(answer) as { code: number; output: string };
    if (code !== 0) throw new Error(`${module} ended with ${code}:\n${output}`);
    return output;
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

/** What a Python module prints until its end. */
export function runModule(name: string, ...parameters: readonly string[]): string {
  forks ??= new Forks();
  return forks.run(name, parameters);
}
