import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import { observedParts, requestInput, type RequestContext } from './request.ts';
import type { CodeStep, Json, JsonObject, StepCondition, Template, TemplateStep } from './types.ts';

/**
 * Builds an engine flow from a catalog template:
 *
 *   trigger → step → [before_x: x] → [before_y: y] → … → outcome → [before_answer: answer] → report
 *
 * Every step continues on failure, and each but the first is inside a router that runs it only when the previous step succeeded and
 * said to go on. So a failure reaches the end at once: `outcome` computes the result and `report`, always at the top level, posts it.
 * `answer` gives the result to a caller that waits for it, and runs only for an event without an executionId (docs/adr/0029).
 * References use the old notation and the flow is imported with schemaVersion "20", which every supported engine version migrates.
 */

export const FLOW_SCHEMA_VERSION = '20';
export const OUTCOME_STEP = 'outcome';
export const ANSWER_STEP = 'answer';
export const REPORT_STEP = 'report';

/** Source of the `outcome` step in the catalog. */
export const OUTCOME_SOURCE = 'parts/outcome.js';

// The import requires a date on each step; a fixed one keeps flows of equal templates equal.
const STEP_DATE = '2026-01-01T00:00:00.000Z';
const WEBHOOK_PIECE = '@activepieces/piece-webhook';
const HTTP_PIECE = '@activepieces/piece-http';

export type PieceVersions = { webhook: string; http: string };

export type FlowOptions = RequestContext & {
  displayName: string;
  /** Sources by file name: the template's `steps/*.js` and the shared `parts/*.js`. */
  codeSources: { readonly [file: string]: string };
  pieceVersions: PieceVersions;
};

export type FlowBranch = {
  branchName: string;
  branchType: 'CONDITION' | 'FALLBACK';
  conditions?: { operator: string; firstValue: string; secondValue?: string }[][];
};

export type FlowStep = {
  type: 'PIECE_TRIGGER' | 'PIECE' | 'CODE' | 'ROUTER';
  name: string;
  displayName: string;
  valid: true;
  lastUpdatedDate: string;
  settings: { [key: string]: unknown };
  children?: (FlowStep | null)[];
  nextAction?: FlowStep;
};

/** Body of the engine's IMPORT_FLOW operation. */
export type ImportFlow = { displayName: string; schemaVersion: typeof FLOW_SCHEMA_VERSION; trigger: FlowStep };

/** Builds the whole flow. Equal arguments give an equal flow, so it can be compared with the one in the engine. */
export function flowFromTemplate(template: Template, options: FlowOptions): ImportFlow {
  const chain = template.steps.map((step, index) => guardStep(template, index, buildStep(step, options)));
  const answer = answersDirectly(template, template.templateVersion) ? [answerStep(options)] : [];
  const actions = [...chain, outcomeStep(template, options), ...answer, reportStep(options)];
  const first = actions.reduceRight<FlowStep | undefined>(
    (next, step) => (next === undefined ? step : { ...step, nextAction: next }),
    undefined,
  );
  const trigger: FlowStep = {
    type: 'PIECE_TRIGGER',
    name: 'trigger',
    displayName: 'Event arrives',
    valid: true,
    lastUpdatedDate: STEP_DATE,
    settings: {
      pieceName: WEBHOOK_PIECE,
      pieceVersion: options.pieceVersions.webhook,
      triggerName: 'catch_webhook',
      input: { authType: 'none' },
      propertySettings: {},
    },
  };
  return {
    displayName: options.displayName,
    schemaVersion: FLOW_SCHEMA_VERSION,
    trigger: first === undefined ? trigger : { ...trigger, nextAction: first },
  };
}

/** Returns whether a flow made from this version of a template answers a caller that waits. */
export function answersDirectly(template: Pick<Template, 'answersSince'>, installedVersion: number): boolean {
  return template.answersSince !== undefined && installedVersion >= template.answersSince;
}

/**
 * Returns the name of an engine connection, the same on every attempt so that a retry reuses it. Letters, digits and underscores
 * only: a dot or quote would break references to it.
 */
export function externalConnectionId(partnerId: string, clientId: string | null, provider: Provider): string {
  const owner = clientId === null ? 'agency' : `c${clientId.replaceAll('-', '')}`;
  return `${connectionPrefix(partnerId)}${owner}_${provider}`;
}

/** Returns the prefix of all connection names of one partner. */
export function connectionPrefix(partnerId: string): string {
  return `p${partnerId.replaceAll('-', '')}_`;
}

export type FlowTag = { partnerId: string; clientId: string | null; workflowId: string; templateName: string; templateVersion: number };

/** Returns the metadata of a flow, which identifies it as ours in the engine. */
export function flowMetadata(tag: FlowTag): JsonObject {
  return {
    partnerId: tag.partnerId,
    clientId: tag.clientId,
    workflowId: tag.workflowId,
    templateName: tag.templateName,
    templateVersion: tag.templateVersion,
  };
}

function buildStep(step: TemplateStep, options: FlowOptions): FlowStep {
  if (step.kind === 'http') return httpAction(step.name, step.label, requestInput(step, options), options);
  return codeAction(step.name, step.label, composeCode(step, options.codeSources), step.inputs);
}

// Strips `export` from the parts, so that a code step exports only `code`.
function composeCode(step: CodeStep, sources: FlowOptions['codeSources']): string {
  const parts = step.uses.map((part) => (sources[`parts/${part}.js`] ?? '').replace(/^export /gm, ''));
  return [...parts, sources[step.file] ?? ''].join('\n');
}

function outcomeStep(template: Template, options: FlowOptions): FlowStep {
  const chain = template.steps.map((step) => ({
    name: step.name,
    label: step.label,
    kind: step.kind,
    ...(step.kind === 'http' ? { provider: step.provider, ...observedParts(step) } : observedCode(step)),
    ...(mayFail(step) ? { mayFail: true } : {}),
    ...(step.when === undefined ? {} : { when: { is: step.when.is, value: `{{${step.when.ref}}}` } }),
  }));
  const input = {
    run: { executionId: '{{trigger.body.executionId}}', workflowId: '{{trigger.body.workflowId}}' },
    chain,
    result: template.result,
  };
  return codeAction(OUTCOME_STEP, 'Work out the result', options.codeSources[OUTCOME_SOURCE] ?? '', input);
}

function observedCode(step: CodeStep): JsonObject {
  const part = (key: string) => `{{${step.name}.${key}}}`;
  return { seen: { go: part('go'), reason: part('reason'), message: part('message'), fault: part('fault'), out: part('out') } };
}

// Gives the report to the caller and lets the run go on. Behind a router, so that a run that reports by its executionId stores no step more.
function answerStep(options: FlowOptions): FlowStep {
  const settings = {
    pieceName: WEBHOOK_PIECE,
    pieceVersion: options.pieceVersions.webhook,
    actionName: 'return_response',
    input: { responseType: 'json', respond: 'respond', fields: { status: 200, headers: {}, body: `{{${OUTCOME_STEP}.report}}` } },
    propertySettings: {},
    errorHandlingOptions: CONTINUE,
  };
  const answer: FlowStep = { type: 'PIECE', name: ANSWER_STEP, displayName: 'Answer', valid: true, lastUpdatedDate: STEP_DATE, settings };
  return guarded(answer, [[{ operator: 'DOES_NOT_EXIST', firstValue: '{{trigger.body.executionId}}' }]]);
}

// The engine sends only `body.data`. A connection error or 5xx is retried after 4, 8 and 16 seconds, so that a report survives a
// restart of the service. A 4xx is not retried: a chatbot turn has no executionId and its report is refused on purpose.
function reportStep(options: FlowOptions): FlowStep {
  const input = {
    method: 'POST',
    url: `${options.internalApiUrl}/executions/webhook`,
    headers: { 'X-Callback-Token': '{{trigger.body.callbackToken}}' },
    queryParams: {},
    authType: 'NONE',
    body_type: 'json',
    body: { data: `{{${OUTCOME_STEP}.report}}` },
    failureMode: 'continue_4xx',
    followRedirects: false,
    timeout: 20,
  };
  return httpAction(REPORT_STEP, 'Report', input, options, CONTINUE_AFTER_RETRIES);
}

const CONTINUE = { continueOnFailure: { value: true }, retryOnFailure: { value: false } };
const CONTINUE_AFTER_RETRIES = { continueOnFailure: { value: true }, retryOnFailure: { value: true } };

function httpAction(name: string, label: string, input: JsonObject, options: FlowOptions, errorHandlingOptions = CONTINUE): FlowStep {
  const settings = {
    pieceName: HTTP_PIECE,
    pieceVersion: options.pieceVersions.http,
    actionName: 'send_request',
    input,
    propertySettings: {},
    errorHandlingOptions,
  };
  return { type: 'PIECE', name, displayName: label, valid: true, lastUpdatedDate: STEP_DATE, settings };
}

function codeAction(name: string, label: string, code: string, input: { [key: string]: Json | object }): FlowStep {
  const settings = { sourceCode: { code, packageJson: '{}' }, input, errorHandlingOptions: CONTINUE };
  return { type: 'CODE', name, displayName: label, valid: true, lastUpdatedDate: STEP_DATE, settings };
}

type Condition = NonNullable<FlowBranch['conditions']>[number][number];

function guardStep({ steps, succeedsOn }: Template, index: number, action: FlowStep): FlowStep {
  const step = steps[index];
  const groups = step === undefined ? [] : guardConditions(steps.slice(0, index), step, succeedsOn);
  return groups.every((group) => group.length === 0) ? action : guarded(action, groups);
}

/** A router that runs a step when the conditions of one of these groups hold. */
function guarded(action: FlowStep, groups: Condition[][]): FlowStep {
  const branches: FlowBranch[] = [
    { branchName: action.displayName, branchType: 'CONDITION', conditions: groups },
    { branchName: 'Otherwise', branchType: 'FALLBACK' },
  ];
  return {
    type: 'ROUTER',
    name: `before_${action.name}`,
    displayName: `May “${action.displayName}” run?`,
    valid: true,
    lastUpdatedDate: STEP_DATE,
    settings: { executionType: 'EXECUTE_FIRST_MATCH', branches },
    children: [action, null],
  };
}

/**
 * Groups are joined by OR, conditions within a group by AND. The nearest earlier unconditional step must have succeeded (which
 * covers all before it, by the same rule); a conditional step in between must have succeeded or not have been required, unless it may fail.
 */
function guardConditions(earlier: TemplateStep[], step: TemplateStep, succeedsOn: Template['succeedsOn']): Condition[][] {
  const lastUnconditional = earlier.findLastIndex((one) => one.when === undefined);
  const unconditional = earlier[lastUnconditional];
  const start: Condition[] = [
    ...(unconditional === undefined ? [] : succeeded(unconditional, succeedsOn)),
    ...(step.when === undefined ? [] : [required(step.when)]),
  ];
  return earlier
    .slice(lastUnconditional + 1)
    .filter((one) => !mayFail(one))
    .reduce<Condition[][]>(
      (groups, one) =>
        groups.flatMap((group) => [
          [...group, ...succeeded(one, succeedsOn)],
          ...(one.when === undefined ? [] : [[...group, notRequired(one.when)]]),
        ]),
      [start],
    );
}

function mayFail(step: TemplateStep): boolean {
  return step.kind === 'http' && step.mayFail === true;
}

// A failed call has no top-level status and a skipped step no output: both read as empty, thus not above any number. The engine takes a
// redirect for success too (engine API, §14), which flows made before `succeedsOn` do not notice.
function succeeded(step: TemplateStep, succeedsOn: Template['succeedsOn']): Condition[] {
  if (step.kind === 'code') return [{ operator: 'BOOLEAN_IS_TRUE', firstValue: `{{${step.name}.go}}` }];
  const above = (secondValue: string): Condition => ({
    operator: 'NUMBER_IS_GREATER_THAN',
    firstValue: `{{${step.name}.status}}`,
    secondValue,
  });
  if (succeedsOn === undefined) return [above('0')];
  return [above('199'), { operator: 'NUMBER_IS_LESS_THAN', firstValue: `{{${step.name}.status}}`, secondValue: '300' }];
}

function required(when: StepCondition): Condition {
  return { operator: when.is === 'true' ? 'BOOLEAN_IS_TRUE' : 'EXISTS', firstValue: `{{${when.ref}}}` };
}

function notRequired(when: StepCondition): Condition {
  return { operator: when.is === 'true' ? 'BOOLEAN_IS_FALSE' : 'DOES_NOT_EXIST', firstValue: `{{${when.ref}}}` };
}
