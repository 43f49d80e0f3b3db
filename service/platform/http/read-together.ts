import { isReadTogether } from '@partner-portal/contract/define-route.ts';
import { createFairTurns, type FairTurns, TurnRefusal } from '../fair-turns.ts';
import { AppError, BUSY_RETRY_SECONDS } from '../refuse.ts';
import type { Handler, RequestContext, Routes } from './context.ts';
import { describeInnerProblem, type InnerRoutes } from './inner-routes.ts';
import { renderReply } from './send-result.ts';

/** Reads of one user that run at once in this process. */
const AT_ONCE = 2;
/** Reads of all in this process; a tenant alone has half of the slots. Other requests have the rest of the database's connections. */
export const READ_TURNS = { slots: 8, perPart: AT_ONCE, waitingMax: 2_048, waitMs: 30_000 };

/** Reads several routes for one session and sends each reply when it is known. See docs/adr/0052-together.md. */
export function readTogether(
  baseUrl: string,
  inner: InnerRoutes,
  inTurn: FairTurns = createFairTurns(READ_TURNS),
): Handler<Routes['readTogether']> {
  return ({ body: { reads } }, context) => {
    const tasks = reads.map((path, read) => async () => {
      const { status, text } = await readOne(path, context);
      return `{"read":${read},"status":${status},"body":${text}}\n`;
    });
    return { kind: 'lines', lines: asTheyEnd(tasks, AT_ONCE, context.signal) };
  };

  async function readOne(path: string, context: RequestContext): Promise<{ status: number; text: string }> {
    const { partnerId, userId } = context.actor;
    try {
      const { route, run, input } = inner.find(path, isReadTogether);
      return await inTurn({ key: partnerId, part: userId }, async () => {
        // No one reads the rest.
        if (context.signal.aborted) return { status: 503, text: 'null' };
        const { status, text } = renderReply(route, await run(input, context.actor, context));
        return { status, text: text ?? 'null' };
      });
    } catch (error) {
      const { status, body } = describeInnerProblem(baseUrl, path, error instanceof TurnRefusal ? refusalOf(error) : error, context);
      return { status, text: JSON.stringify(body) };
    }
  }
}

function refusalOf(cause: TurnRefusal): AppError {
  const detail = 'Too many reads are waiting. Try again in a moment.';
  return new AppError('service_unavailable', { detail, retryAfterSeconds: BUSY_RETRY_SECONDS, cause });
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
