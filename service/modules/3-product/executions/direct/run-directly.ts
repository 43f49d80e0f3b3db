import { askedByText } from '@partner-portal/core/contact/opt-out.ts';
import { objectionToDirectRun } from '@partner-portal/core/execution/direct.ts';
import { contactsNoOne } from '@partner-portal/core/template/follow-ups.ts';
import { contactOf, readInput } from '@partner-portal/core/template/input.ts';
import { mailedAddress } from '@partner-portal/core/template/mailed.ts';
import { isFirstContactCounted, otherTextedNumber } from '@partner-portal/core/template/texted.ts';
import type { JsonObject, Template } from '@partner-portal/core/template/types.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import { createFairTurns, TurnRefusal } from '#platform/fair-turns.ts';
import type { Log } from '#platform/log.ts';
import type { Tracer } from '#platform/tracing/tracer.ts';
import type { Acceptor } from '../accept/accept.ts';
import { directPayload, stepsInput, stopOf } from '../dispatch/dispatch-payload.ts';
import { takeFirstContact } from '../dispatch/store-first-contacts.ts';
import type { EngineDispatch } from '../engine.ts';
import { isTooDeep, storableJson } from '../storable.ts';
import type { Finisher } from '../report/finish.ts';
import { type DirectRequest, type DirectRun, endedRun, refusalOf, refusedRun, unknownRun } from './direct-run.ts';
import { followRun } from './follow-run.ts';
import { type DirectRow, readDirectRun } from './store-direct.ts';

export type DirectDeps = {
  db: Database;
  engine: EngineDispatch;
  acceptor: Acceptor;
  finisher: Finisher;
  templateOf: (name: string) => Template | undefined;
  clock: Clock;
  log: Log;
  /** How long a visitor waits for a run (ms). */
  directWaitMs?: number | undefined;
  /** People whom a client may text for the first time in an hour, unless it has a cap of its own. */
  firstContactsPerHour: number;
  tracer?: Tracer | undefined;
};

export type DirectRuns = {
  run(request: DirectRequest): Promise<DirectRun>;
  /** Ends the waits in progress: their turns are taken up by another call. */
  stop(): Promise<void>;
};

/** The engine ends a call without an answer after thirty seconds. */
const CALL_MS = 35_000;
const WAIT_MS = 60_000;
/** Calls hold a connection for as long as the flow runs. An agency alone has half of them. */
const TURNS = { slots: 64, waitingMax: 256, waitMs: 20_000 };
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Runs agents for turns of conversations: the flow is called and its answer is the result. See docs/adr/0029. */
export function createDirectRuns(deps: DirectDeps): DirectRuns {
  const turns = createFairTurns(TURNS);
  const stopping = new AbortController();
  const inProgress = new Map<string, { workflowId: string; result: Promise<DirectRun> }>();
  const start = async (request: DirectRequest): Promise<DirectRun> => {
    try {
      return await turns({ key: request.scope.partnerId }, () => runTurn(deps, request, stopping.signal));
    } catch (error) {
      if (!(error instanceof TurnRefusal)) throw error;
      return whenBusy(deps, request);
    }
  };
  return {
    async run(request) {
      const { turnId, workflowId } = request;
      if (!UUID_V7.test(turnId)) throw new Error('The ID of a turn must be a UUID version 7.');
      const known = inProgress.get(turnId);
      if (known && known.workflowId !== workflowId) throw new Error('A turn runs one agent.');
      if (known) return known.result;
      const result = start(request).finally(() => inProgress.delete(turnId));
      inProgress.set(turnId, { workflowId, result });
      return result;
    },
    async stop() {
      stopping.abort();
      await Promise.allSettled([...inProgress.values()].map((one) => one.result));
    },
  };
}

async function runTurn(deps: DirectDeps, request: DirectRequest, stopping: AbortSignal): Promise<DirectRun> {
  const { turnId, workflowId } = request;
  const signal = request.signal === undefined ? stopping : AbortSignal.any([stopping, request.signal]);
  const agent = await readOwn(deps, request);
  if (!agent) return refusedRun({ code: 'not_found', message: 'This agent does not exist.' }, 'not_found');
  const template = deps.templateOf(agent.templateName);
  // A run that exists is followed, regardless of how account, credits and agent changed since.
  const accepted = agent.ranBy === null ? await acceptTurn(deps, request, template, agent) : 'before';
  if (typeof accepted === 'object') return accepted;
  const isNew = accepted === 'now';
  const { input, understood, countries } = await readTurn(deps, request);
  const row = isNew ? { ...agent, input: request.input, understood, startedAt: deps.clock.now() } : await readOwn(deps, request);
  if (!row?.startedAt) return unknownRun(turnId);
  const ended = endedRun(turnId, row);
  if (ended) return ended;

  // A visitor may end texts to a number, and never asks for them.
  const keyword = askedByText(template, input, countries)?.keyword === 'opt_out' ? 'opt_out' : null;
  const event = { ...row, workflowId, keyword, isPlanned: false, createdAt: row.startedAt } as const;
  const given = { executionId: turnId, workflowId, templateName: row.templateName, input: stepsInput(row, template) };
  const why = stopOf(event, template);
  if (why !== null) {
    await deps.finisher.stop({ ...given, why });
    return readEnded(deps, request);
  }
  const followed = await followRun(
    { engine: deps.engine, log: deps.log, tracer: deps.tracer, callMs: CALL_MS, waitMs: deps.directWaitMs ?? WAIT_MS },
    {
      executionId: turnId,
      workflowId,
      providerFlowId: row.providerFlowId,
      sentAt: row.startedAt,
      mayBeSent: !isNew,
      payload: () => directPayload(turnId, event, template, deps.clock.now()),
      signal,
    },
  );
  if (followed.is === 'unknown') return unknownRun(turnId);
  if (followed.is === 'ended') await deps.finisher.report(followed.report);
  else await deps.finisher.fail({ ...followed, ...given });
  return readEnded(deps, request);
}

/** Reads how a run ended: the timeout of all runs, or another process, may have been first. */
async function readEnded(deps: DirectDeps, request: DirectRequest): Promise<DirectRun> {
  const after = await readOwn(deps, request);
  return (after && endedRun(request.turnId, after)) ?? unknownRun(request.turnId);
}

/** Makes the run of a turn: `before` when another process made it meanwhile, or why there is none. */
async function acceptTurn(
  deps: DirectDeps,
  request: DirectRequest,
  template: Template | undefined,
  { templateVersion, config }: DirectRow,
): Promise<'now' | 'before' | DirectRun> {
  const { turnId, workflowId, scope } = request;
  const objection = template ? objectionToDirectRun(template, templateVersion) : null;
  if (objection) return refusedRun(objection);
  const { input, contact, number, textCountries } = await readTurn(deps, request);
  const now = deps.clock.now();
  const isCounted = template !== undefined && isFirstContactCounted(template, number ?? contact, textCountries);
  if (isCounted && !contactsNoOne(template, input, config ?? {}, { now, until: now })) {
    const isInTime = await takeFirstContact(deps.db, { workflowId, contact, number, standard: deps.firstContactsPerHour });
    if (!isInTime) return refusedRun({ code: 'first_contacts_used', message: 'The first contacts of this hour are used up.' });
  }
  const acceptance = await deps.acceptor.accept({
    executionId: turnId,
    workflowId,
    source: 'chatbot',
    body: { input: request.input },
    idempotencyKey: turnId,
    scope,
  });
  if (acceptance.outcome === 'accepted') return 'now';
  return acceptance.outcome === 'replayed' ? 'before' : refusalOf(acceptance);
}

type ReadTurn = {
  /** The input of the steps; as received where it cannot be normalized. */
  input: JsonObject;
  understood: JsonObject | null;
  contact: string | null;
  /** A number that the flow may text, when it is another than the contact. */
  number: string | null;
  /** The address that the flow may mail. */
  address: string | null;
  countries: readonly string[];
  textCountries: readonly string[];
};

/** Reads the values of a turn, as accepting it does. */
async function readTurn(deps: DirectDeps, { workflowId, input: came }: DirectRequest): Promise<ReadTurn> {
  const facts = await deps.acceptor.factsOf(workflowId);
  const template = facts === undefined ? undefined : deps.templateOf(facts.templateName);
  const nothing = { input: came, understood: null, contact: null, number: null, address: null, countries: [], textCountries: [] };
  if (facts === undefined || template === undefined) return nothing;
  const reading = readInput(template, came, facts.client);
  const read = 'input' in reading ? { input: reading.input, understood: reading.understood } : { input: came, understood: null };
  const contact = contactOf(template, read.input);
  const number = otherTextedNumber(template, read.input, contact);
  return {
    ...read,
    contact,
    number,
    address: mailedAddress(template, read.input),
    countries: facts.client.countries,
    textCountries: facts.textCountries,
  };
}

/** Reads the agent in the scope of the request; undefined when it is of someone else. */
async function readOwn(deps: DirectDeps, request: DirectRequest): Promise<DirectRow | undefined> {
  const { turnId, workflowId, scope } = request;
  const { input, contact, number, address } = await readTurn(deps, request);
  const row = await readDirectRun(deps.db, {
    executionId: turnId,
    workflowId,
    contact,
    textedNumber: number,
    mailedAddress: address,
    event: isTooDeep(input) ? '{}' : storableJson(input),
  });
  if (!row || row.partnerId !== scope.partnerId) return undefined;
  if (scope.clientId !== null && row.clientId !== scope.clientId) return undefined;
  if (row.ranBy !== null && row.ranBy !== workflowId) throw new Error('A turn runs one agent.');
  return row;
}

/** Answers when too many runs wait. A turn that was accepted before may be complete. */
async function whenBusy(deps: DirectDeps, request: DirectRequest): Promise<DirectRun> {
  const row = await readOwn(deps, request);
  if (row?.ranBy) return endedRun(request.turnId, row) ?? unknownRun(request.turnId);
  return refusedRun({ code: 'service_unavailable', message: 'Many agents of this account are running right now.' }, 'busy');
}
