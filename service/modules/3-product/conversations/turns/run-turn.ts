import { beginOf } from '@partner-portal/core/text/cut.ts';
import { type Answer, readAnswer } from '@partner-portal/core/conversation/answer.ts';
import { type Choice, offerAgents, type OfferedAgent, readChoice } from '@partner-portal/core/conversation/intent.ts';
import { fitPassages } from '@partner-portal/core/conversation/prompt-size.ts';
import { handoffAfterRun, hasStopped } from '@partner-portal/core/conversation/run-outcome.ts';
import { readingClient } from '@partner-portal/core/template/reading-client.ts';
import { textedNumber } from '@partner-portal/core/template/texted.ts';
import { afterModelError, ATTEMPTS_MAX, handoffByWords, RUNS_PER_HOUR } from '@partner-portal/core/conversation/turn.ts';
import { CHAT_BUDGETS } from '@partner-portal/core/quota/chat-budget.ts';
import { localeOf } from '@partner-portal/messages/locale.ts';
import { announce } from '#platform/notify.ts';
import { AppError } from '#platform/refuse.ts';
import type { TenantTx, Tx } from '#platform/db/tx.ts';
import type { ChatbotFacts, ConversationsDeps, FoundPassage, OwnReason } from '../deps.ts';
import { conversationChanged } from '../live/topics.ts';
import { type Asked, compose, decide, type Shown } from './ask-model.ts';
import { type Ended, endTurn } from './end-turn.ts';
import { tooManyRunsOf } from './may-run.ts';
import { type Sentences, sentencesIn } from './sentences.ts';
import type { Settlement, Turn, TurnOutcome } from '../store-turn.ts';
import { listAgents, recordChoice, recordOutcome } from './store.ts';

/** The data that a turn reads before the model is asked. */
export type Basis = { facts: ChatbotFacts; passages: readonly FoundPassage[]; agents: readonly OfferedAgent[] };

const EXCERPT_MAX = 300;
/** Earlier texts of the visitor that complete a short one: "and on Sundays?" */
const QUESTIONS = 2;

/** Runs a turn from its state to its end. Returns undefined when it ended elsewhere. Throws only when its end could not be recorded. */
export async function runTurn(deps: ConversationsDeps, turn: Turn, basis: Basis | null, signal: AbortSignal): Promise<Ended | undefined> {
  const shown: Shown = { firstTokenMs: null };
  const end = (settlement: Partial<Settlement>): Promise<Ended | undefined> =>
    endTurn(deps, turn, basis?.facts ?? null, { ...ENDED, firstTokenMs: shown.firstTokenMs, ...settlement });
  const say = sentencesIn(turn.locale);
  // Switched off meanwhile: the visitor reads it once it is on again, and a person has the message.
  if (!basis) return end(failed(say, 'failure', 'not_found', null));
  if (turn.attempts >= ATTEMPTS_MAX) return end(failed(say, 'failure', 'internal_error', false));
  const words = newestTexts(turn).join('\n');
  const asked: Asked = { turn, ...basis, signal };
  try {
    if (turn.state === 'deciding') {
      const wish = handoffByWords(words, basis.facts.handoffPhrases);
      if (wish === 'phrase' || wish === 'visitor') return await end({ reply: say.handOver(wish), handoff: wish });
      const reply = await decide(deps, asked, shown);
      const choice = readChoice(reply.toolCalls, basis.agents);
      if (choice.kind !== 'run')
        return await end({ ...answerOf(choice, readAnswer(reply, basis.passages.length), basis, say), hasAnswered: true });
      const tooMany = await tooManyRunsOf(deps, turn, choice);
      if (tooMany === 'person') return await end({ reply: say.tooManyRuns, error: 'rate_limited', hasAnswered: true });
      // For this visitor nothing was done yet.
      if (tooMany === 'others')
        return await end({ reply: say.run('refused'), handoff: 'failure', error: 'rate_limited', hasAnswered: true });
      const { intent, workflowId } = choice.agent;
      const number = textedNumber(choice.agent.template, choice.input);
      const recorded = await asPartner(deps, turn, async (tx) => {
        const outcome = await recordChoice(tx, deps.worker, turn, { intent, workflowId, input: choice.input, number }, RUNS_PER_HOUR);
        // The inbox shows the run while it is under way.
        if (outcome === 'recorded') await announce(tx, conversationChanged, changeOf(turn));
        return outcome;
      });
      if (recorded === 'lost') return undefined;
      if (recorded === 'not_open') return await end({ hasAnswered: true });
      if (recorded === 'other_number') return await end({ reply: say.otherNumber, error: 'other_number', hasAnswered: true });
      if (recorded === 'too_many') return await end({ reply: say.tooManyRuns, error: 'rate_limited', hasAnswered: true });
      Object.assign(turn, { state: 'running', intent, workflowId, inputs: choice.input } satisfies Partial<Turn>);
    }
    if (turn.state === 'running' && !(await runAgent(deps, turn, signal))) return undefined;
    return await end(await reportOutcome(deps, asked, shown, say));
  } catch (error) {
    // Given back: another process, or the next start, continues here.
    if (signal.aborted) throw error;
    const code = error instanceof AppError ? error.code : null;
    if (code === null) deps.log.error({ err: error, turnId: turn.id, state: turn.state }, 'turn of a conversation failed');
    const { reason, isFailure } = afterModelError(code);
    return end({ ...failed(say, reason, code ?? 'internal_error', isFailure ? false : null), reached: reachedIn(error) });
  }
}

/** Reads what a turn needs: its passages and the agents that can run now. */
export async function readBasis(
  deps: Pick<ConversationsDeps, 'chatbot' | 'templateOf'>,
  tx: Tx,
  facts: ChatbotFacts,
  turn: Pick<Turn, 'history'>,
): Promise<Basis> {
  const found = await deps.chatbot.findPassages(tx, facts.id, newestTexts(turn));
  const questions = turn.history.filter(({ author }) => author === 'visitor').slice(-QUESTIONS);
  const passages = fitPassages(
    found.length > 0 ? found : await deps.chatbot.findPassages(tx, facts.id, [questions.map(({ text }) => text).join('\n')]),
  );
  if (facts.routes.length === 0) return { facts, passages, agents: [] };
  const rows = await listAgents(
    tx,
    facts.clientId,
    facts.routes.map(({ workflowId }) => workflowId),
  );
  const routes = facts.routes.flatMap((route) => {
    const row = rows.find(({ id }) => id === route.workflowId);
    if (!row) return [];
    const { templateName, businessPhone } = row;
    const reader = readingClient({ ...row, phone: businessPhone, locale: localeOf(row.locale) }).client;
    return [{ ...route, templateName, businessPhone, reader, pages: { ...row, config: row.config ?? {} } }];
  });
  return { facts, passages, agents: offerAgents(routes, deps.templateOf) };
}

const ENDED: Settlement = {
  state: 'done',
  reply: '',
  passages: [],
  error: null,
  handoff: null,
  firstTokenMs: null,
  hasAnswered: null,
  hasRun: null,
  reached: null,
};

/** Returns the visitor's messages since the last reply. */
export function newestTexts({ history }: Pick<Turn, 'history'>): string[] {
  const answered = history.findLastIndex(({ author }) => author !== 'visitor');
  return history.slice(answered + 1).map(({ text }) => text);
}

function failed(say: Sentences, reason: OwnReason, error: string, hasAnswered: false | null): Partial<Settlement> {
  return { state: 'failed', reply: say.handOver(reason), handoff: reason, error, hasAnswered };
}

/** Returns the reply when no agent runs, and whether a person takes over. */
export function answerOf(
  choice: Exclude<Choice, { kind: 'run' }>,
  answer: Answer,
  { facts, passages }: Basis,
  say: Sentences,
): Partial<Settlement> {
  if (choice.kind === 'hand_over') return { reply: say.handOver('visitor'), handoff: 'visitor' };
  if (choice.kind === 'ask') return { reply: say.ask(choice) };
  if (choice.kind === 'foreign_link') return { reply: say.foreignLink, error: 'foreign_link' };
  // An answer without a source is not repeated: it may be invented.
  const said = passages.length === 0 || answer.isUnfounded ? '' : answer.text;
  if (answer.isUnsure && facts.handoffWhenUnsure) return { reply: say.handOver('unsure', said), handoff: 'unsure' };
  if (answer.isUnsure) return { reply: said || say.unknown };
  if (answer.isUnfounded) return { reply: answer.questions };
  return { reply: saidOf(answer, say), passages: citedOf(answer, passages) };
}

/** A reply that is not all there is says so. */
function saidOf({ text, isCut }: Answer, say: Sentences): string {
  return isCut ? `${text}\n${say.more}` : text;
}

function citedOf(answer: Answer, passages: readonly FoundPassage[]): Settlement['passages'] {
  return answer.cited.flatMap((number) => {
    const passage = passages[number - 1];
    if (!passage) return [];
    const { documentId, title, heading, content } = passage;
    return [{ documentId, title, heading, excerpt: beginOf(content, EXCERPT_MAX) }];
  });
}

/** Runs the agent that was recorded, and records what came of it. Returns false when another process holds the turn. */
async function runAgent(deps: ConversationsDeps, turn: Turn, signal: AbortSignal): Promise<boolean> {
  const { workflowId, inputs } = turn;
  if (workflowId === null || inputs === null) throw new Error('A running turn has no agent.');
  // The agent belongs to the client or to its agency: it was recorded from those that the client's chatbot may run.
  const run = await deps.runDirectly({
    turnId: turn.id,
    workflowId,
    input: inputs,
    scope: { partnerId: turn.partnerId, clientId: null },
    signal,
  });
  const { kind, summary, output, refusal } = run;
  // The wait was given up here, not by the engine: another process takes the run up.
  if (signal.aborted && kind === 'unknown') throw new Error('The turn is given back while its agent runs.');
  const outcome: TurnOutcome = { kind, summary, output, ...(refusal === undefined ? {} : { refusal }) };
  const isHeld = await asPartner(deps, turn, (tx) => recordOutcome(tx, deps.worker, turn.id, { executionId: run.executionId, outcome }));
  Object.assign(turn, { state: 'composing', outcome } satisfies Partial<Turn>);
  return isHeld;
}

/** Says what came of the run. A failed one is said in a fixed sentence, and a person takes care of it. */
async function reportOutcome(deps: ConversationsDeps, asked: Asked, shown: Shown, say: Sentences): Promise<Partial<Settlement>> {
  const { outcome } = asked.turn;
  if (outcome === null) throw new Error('A composing turn has no outcome.');
  const reason = handoffAfterRun(outcome.kind, outcome.refusal);
  const sentence = say.run(outcome.kind);
  if (reason !== null) {
    const wanted = asked.agents.find(({ workflowId }) => workflowId === asked.turn.workflowId)?.template.creditsPerRun ?? 1;
    return {
      state: 'failed',
      reply: sentence,
      handoff: reason,
      error: `run_${outcome.kind}`,
      hasRun: reason === 'failure' ? false : null,
      reached: reason === 'budget' ? { budgets: CHAT_BUDGETS, wanted } : null,
    };
  }
  // The reply says that the agent did its work, also when the model failed. An agent that stopped did not: the visitor still waits for it.
  const unsaid: Partial<Settlement> = hasStopped(outcome)
    ? { state: 'failed', reply: say.run('refused'), handoff: 'failure' }
    : { reply: sentence };
  try {
    const reply = await compose(deps, asked, shown, outcome);
    const answer = readAnswer(reply, asked.passages.length);
    return { ...(answer.text === '' ? unsaid : { reply: saidOf(answer, say) }), hasAnswered: true, hasRun: true };
  } catch (error) {
    if (asked.signal.aborted) throw error;
    return { ...unsaid, error: error instanceof AppError ? error.code : 'internal_error', hasRun: true };
  }
}

/** The budget that a call of the model had no room in. */
function reachedIn(error: unknown): Settlement['reached'] {
  if (!(error instanceof AppError) || error.code !== 'chat_budget_exceeded') return null;
  const { budget, wanted } = error.extras;
  const name = CHAT_BUDGETS.find((one) => one === budget);
  return name && typeof wanted === 'number' ? { budgets: [name], wanted } : null;
}

function changeOf({ partnerId, clientId, conversationId, uptoMessageId }: Turn) {
  return { partnerId, clientId, conversationId, messageIds: [uptoMessageId] };
}

function asPartner<T>(deps: ConversationsDeps, turn: Turn, work: (tx: TenantTx) => Promise<T>): Promise<T> {
  return deps.db.asTenant({ kind: 'tenant', partnerId: turn.partnerId, clientId: null }, work);
}
