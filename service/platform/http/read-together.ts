import { isReadTogether } from '@partner-portal/contract/define-route.ts';
import { createKeyedLimiter } from '../keyed-limiter.ts';
import type { Handler, RequestContext, Routes } from './context.ts';
import { describeInnerProblem, type InnerRoutes } from './inner-routes.ts';
import { renderReply } from './send-result.ts';

/** Reads of one user that run at once in this process, as many as a browser sends at once over HTTP/1.1. */
const AT_ONCE = 6;

/** Reads several routes for one session and sends each reply when it is known. See docs/adr/0052-together.md. */
export function readTogether(baseUrl: string, inner: InnerRoutes): Handler<Routes['readTogether']> {
  const inTurn = createKeyedLimiter({ perKey: AT_ONCE });
  return ({ body: { reads } }, context) => {
    const tasks = reads.map((path, read) => async () => {
      const { status, text } = await inTurn(context.actor.userId, () => readOne(path, context));
      return `{"read":${read},"status":${status},"body":${text}}\n`;
    });
    return { kind: 'lines', lines: asTheyEnd(tasks, AT_ONCE, context.signal) };
  };

  async function readOne(path: string, context: RequestContext): Promise<{ status: number; text: string }> {
    // No one reads the rest.
    if (context.signal.aborted) return { status: 503, text: 'null' };
    try {
      const { route, run, input } = inner.find(path, isReadTogether);
      const { status, text } = renderReply(route, await run(input, context.actor, context));
      return { status, text: text ?? 'null' };
    } catch (error) {
      const { status, body } = describeInnerProblem(baseUrl, path, error, context);
      return { status, text: JSON.stringify(body) };
    }
  }
}

/**
 * Runs tasks, none of which throws, at most `most` at once, and gives each result as soon as there is one. The first begin at once, and none after
 * `stopped`.
 */
function asTheyEnd(tasks: readonly (() => Promise<string>)[], most: number, stopped: AbortSignal): AsyncIterable<string> {
  const running = new Map<number, Promise<{ at: number; result: string }>>();
  let next = 0;
  const begin = (): void => {
    for (let task = tasks[next]; task && running.size < most && !stopped.aborted; task = tasks[next]) {
      const at = next++;
      running.set(
        at,
        task().then((result) => ({ at, result })),
      );
    }
  };
  begin();
  return (async function* () {
    while (running.size > 0) {
      const { at, result } = await Promise.race(running.values());
      yield result;
      // Only once the line is taken: replies for a reader that stalls would pile up.
      running.delete(at);
      begin();
    }
  })();
}
