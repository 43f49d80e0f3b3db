import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A child process of the bench that sends one response per request. */
export type Child<Question, Answer> = { pid: number; ask(question: Question): Promise<Answer>; stop(): Promise<void> };

/** Starts `file` with `setup` as its first message; `ready` is its message once it is up. */
export async function startChild<Setup extends object, Ready, Question extends object = object, Answer = Ready>(
  file: URL,
  setup: Setup,
): Promise<{ ready: Ready; child: Child<Question, Answer> }> {
  const process = fork(file, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  process.send(setup);
  const ready = (await nextMessage(process)) as Ready; // the bench's own two ends
  return {
    ready,
    child: {
      pid: process.pid ?? 0,
      async ask(question) {
        process.send(question);
        return (await nextMessage(process)) as Answer; // the bench's own two ends
      },
      async stop() {
        if (process.exitCode !== null) return;
        const gone = once(process, 'exit');
        process.disconnect();
        await gone;
      },
    },
  };
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const answered = new AbortController();
  const { signal } = answered;
  const message = once(child, 'message', { signal });
  const died = once(child, 'exit', { signal }).then(() => {
    throw new Error('A process of the bench ended early.');
  });
  try {
    const [answer]: unknown[] = await Promise.race([message, died]);
    return answer;
  } finally {
    // Removes the listener of the event that did not happen.
    for (const one of [message, died]) one.catch(() => undefined);
    answered.abort();
  }
}
