import { answersSuspended, isFollowedTogether } from '@partner-portal/contract/define-route.ts';
import type { Actor } from '../actor.ts';
import { isRefusal } from '../refuse.ts';
import type { EventsAnswer } from './answer.ts';
import type { Handler, RequestContext, Routes } from './context.ts';
import { describeInnerProblem, type InnerRoutes } from './inner-routes.ts';
import type { ServerEvent } from './sse.ts';

type Followed = {
  /** Index in the request. */
  at: number;
  path: string;
  lastEventId: string | null;
  /** Ends when the account is suspended. */
  isStrict: boolean;
  hasEnded: boolean;
  stop?: () => void;
};
/** The last event of a stream. */
type Last = Omit<ServerEvent, 'id'>;

/**
 * Follows several event streams for one session. The id of each event begins with the index of its stream. `opened` follows what a stream missed or begins
 * with: from then on it sends each change. `refused` with a problem says that it could not be opened, `ended` that it sends nothing more; the others go on.
 * See docs/adr/0052-together.md.
 */
export function followTogether(
  baseUrl: string,
  inner: InnerRoutes,
  assertSession: ((actor: Actor) => Promise<void>) | undefined,
): Handler<Routes['followTogether']> {
  return ({ body: { follow } }, context): EventsAnswer => {
    const streams = follow.map(({ path, lastEventId }, at): Followed => ({
      at,
      path,
      lastEventId: lastEventId || null,
      isStrict: true,
      hasEnded: false,
    }));
    /** Those that a suspension ends; set while the stream is open. */
    let endStrict = (): void => undefined;
    return {
      kind: 'events',
      streams: streams.length,
      async assertValid() {
        // The request itself is allowed while the account is suspended, as some of its streams are.
        await assertSession?.({ ...context.actor, whileSuspended: false }).catch((error: unknown) => {
          if (!isRefusal(error, 'account_suspended')) throw error;
          endStrict();
        });
      },
      source: {
        open(send, _lastEventId, end) {
          const close = (stream: Followed, last: Last): void => {
            if (stream.hasEnded) return;
            stream.hasEnded = true;
            send({ id: `${stream.at}:`, ...last });
            if (streams.every(({ hasEnded }) => hasEnded)) end?.();
            stream.stop?.();
          };
          const closeStrict = (stream: Followed): void => {
            if (stream.isStrict) close(stream, { event: 'ended', data: {} });
          };
          endStrict = () => streams.forEach(closeStrict);
          // Not awaited: one that opens slowly holds back neither the others nor the end of all.
          for (const stream of streams) void openOne(stream, send, (last) => close(stream, last), context);
          return () => {
            for (const stream of streams.filter(({ hasEnded }) => !hasEnded)) {
              stream.hasEnded = true;
              stream.stop?.();
            }
          };
        },
      },
    };
  };

  async function openOne(
    stream: Followed,
    send: (event: ServerEvent) => void,
    close: (last: Last) => void,
    context: RequestContext,
  ): Promise<void> {
    try {
      const { route, run, input } = inner.find(stream.path, isFollowedTogether);
      stream.isStrict = !answersSuspended(route);
      const { source } = (await run(input, context.actor, context)) as EventsAnswer; // by the format of the route
      if (stream.hasEnded) return;
      stream.stop = await source.open(
        (event) => {
          if (!stream.hasEnded) send({ ...event, id: `${stream.at}:${event.id}` });
        },
        stream.lastEventId,
        () => close({ event: 'ended', data: {} }),
      );
      // It may have ended while it was opened.
      if (stream.hasEnded) stream.stop();
      else send({ id: `${stream.at}:`, event: 'opened', data: {} });
    } catch (error) {
      close({ event: 'refused', data: describeInnerProblem(baseUrl, stream.path, error, context).body });
    }
  }
}
