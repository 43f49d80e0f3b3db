import { createFairTurns, TurnRefusal } from '#platform/fair-turns.ts';
import { createRepeater } from '#platform/jobs/repeater.ts';
import type { ConversationsDeps } from '../deps.ts';
import type { Ended } from './end-turn.ts';
import { type Basis, readBasis, runTurn } from './run-turn.ts';
import type { Turn } from '../store-turn.ts';
import { claimDueTurns, extendTurns, LEASE_MS, releaseTurns } from './store.ts';

/** Turns under way in one process, and those that wait for their turn; a process that is full leaves the rest to others. */
const SLOTS = 256;
const WAITING_MAX = 1_024;
const WAIT_MS = 20_000;
const BEAT_MS = LEASE_MS / 3;
const LOOK_MS = 5_000;
const CLAIMED_MAX = 32;
/** How long turns may go on while the process stops. */
const STOP_MS = 4_000;

export type Turns = {
  /** Runs a turn that this process holds, and the turns that follow it. Resolves with the end of this one; undefined: it ended elsewhere. */
  run(turn: Turn, basis: Basis | null): Promise<Ended | undefined>;
  /** Continues turns that no process holds. Returns how many. */
  takeOver(): Promise<number>;
  /** Aborted once the process stops: no reply is to be waited for here. */
  stopping: AbortSignal;
  start(): void;
  stop(): Promise<void>;
};

/** The turns of this process: run fairly between agencies, kept by a sign of life, and taken over from processes that died. */
export function createTurns(deps: ConversationsDeps): Turns {
  const { db, log, worker } = deps;
  const fair = createFairTurns({ slots: SLOTS, waitingMax: WAITING_MAX, waitMs: WAIT_MS });
  const held = new Map<string, Turn>();
  const running = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  let beat: NodeJS.Timeout | undefined;

  const extend = (): void => {
    const ids = [...held.keys()];
    if (ids.length === 0) return;
    db.asSystem('sweep', (tx) => extendTurns(tx, worker, ids)).catch((error: unknown) => {
      log.warn({ err: error, turns: ids.length }, 'turns of conversations not extended');
    });
  };
  const releaseHeld = async (ids: readonly string[]): Promise<void> => {
    if (ids.length > 0) await db.asSystem('sweep', (tx) => releaseTurns(tx, worker, ids));
  };
  const runOne = async (turn: Turn, basis: Basis | null): Promise<Ended | undefined> => {
    held.set(turn.id, turn);
    beat ??= setInterval(extend, BEAT_MS).unref();
    let ended: Ended | undefined;
    try {
      ended = await fair({ key: turn.partnerId }, () => runTurn(deps, turn, basis, stopping.signal));
    } catch (error) {
      deps.live.endReply(turn.conversationId);
      // Another process has room, or this one after it restarted.
      await releaseHeld([turn.id]).catch(() => undefined);
      if (!(error instanceof TurnRefusal) && !stopping.signal.aborted)
        log.error({ err: error, turnId: turn.id }, 'turn of a conversation interrupted');
      return undefined;
    } finally {
      held.delete(turn.id);
    }
    if (ended) follow(turn, ended);
    return ended;
  };
  const track = <T>(work: Promise<T>): Promise<T> => {
    running.add(work);
    const forget = (): void => void running.delete(work);
    work.then(forget, forget);
    return work;
  };
  const readAndRun = async (turn: Turn): Promise<Ended | undefined> => {
    const facts = await deps.chatbot.findServed(turn.chatbotId);
    const scope = { kind: 'tenant', partnerId: turn.partnerId, clientId: null } as const;
    const basis = facts ? await db.asTenant(scope, (tx) => readBasis(deps, tx, facts, turn)) : null;
    return runOne(turn, basis);
  };
  const begin = (turn: Turn): void => {
    void track(
      readAndRun(turn).catch(async (error: unknown) => {
        log.error({ err: error, turnId: turn.id }, 'turn of a conversation not begun');
        await releaseHeld([turn.id]).catch(() => undefined);
      }),
    );
  };
  /** The visitor wrote while the turn was under way. */
  const follow = (turn: Turn, { nextTurn, nextUpto, history }: Ended): void => {
    if (nextTurn === null || nextUpto === null || history === null) return;
    const fresh = { state: 'deciding', intent: null, workflowId: null, inputs: null, outcome: null, attempts: 0 } as const;
    begin({ ...turn, ...fresh, id: nextTurn, uptoMessageId: nextUpto, history, startedAt: deps.clock.now() });
  };
  const takeOver = async (): Promise<number> => {
    const free = Math.min(CLAIMED_MAX, SLOTS - held.size);
    if (free <= 0 || stopping.signal.aborted) return 0;
    const due = await db.asSystem('sweep', (tx) => claimDueTurns(tx, worker, free));
    for (const turn of due) begin(turn);
    return due.length;
  };
  const looker = createRepeater({
    everyMs: LOOK_MS,
    round: async () => ((await takeOver()) === CLAIMED_MAX ? 0 : null),
    onError: (error) => log.warn({ err: error }, 'turns of conversations could not be searched for'),
  });

  return {
    run: (turn, basis) => track(runOne(turn, basis)),
    takeOver,
    stopping: stopping.signal,
    start: () => looker.start(),
    async stop() {
      await looker.stop();
      const late = setTimeout(() => stopping.abort(), STOP_MS);
      while (running.size > 0) await Promise.allSettled(running);
      clearTimeout(late);
      stopping.abort();
      clearInterval(beat);
    },
  };
}
