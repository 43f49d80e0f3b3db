import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import { observedParts, requestInput, type RequestContext } from './request.ts';
import type { CodeStep, Json, JsonObject, StepCondition, Template, TemplateStep } from './types.ts';

/**
 * A catalog template becomes an engine flow:
 *
 *   trigger → step → [before_x: x] → [before_y: y] → … → outcome → report
 *
 * Every step carries on after a failure, and each but the first stands inside a router whose branch is taken only
 * when the one before it did well and said to go on. So a failed step is told at once, by its name: `outcome`
 * works out what happened and `report`, always at the top level, posts it (specification, Terminal report step).
 * References are written in the old spelling and the flow is imported with schemaVersion "20", which every
 * supported engine version rewrites by itself (engine API, §0.2).
 */

export const FLOW_SCHEMA_VERSION = '20';
export const OUTCOME_STEP = 'outcome';
export const REPORT_STEP = 'report';

/** The parts of catalog/parts that `outcome` is made of. */
export const OUTCOME_SOURCE = 'parts/outcome.js';

// Import demands a date on each step; a fixed one keeps the flow equal for equal templates.
const STEP_DATE = '2026-01-01T00:00:00.000Z';
const WEBHOOK_PIECE = '@activepieces/piece-webhook';
const HTTP_PIECE = '@activepieces/piece-http';

export type PieceVersions = { webhook: string; http: string };

export type FlowOptions = RequestContext & {
  displayName: string;
  /** Sources of the bundle: the template's `steps/*.js` and the shared `parts/*.js`. */
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

/** Builds the whole flow. Pure: equal arguments give an equal flow, so it can be compared with what the engine holds. */
export function flowFromTemplate(template: Template, options: FlowOptions): ImportFlow {
  const chain = template.steps.map((step, index) => guardStep(template.steps, index, buildStep(step, options)));
  const actions = [...chain, outcomeStep(template, options), reportStep(options)];
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

/**
 * Name of an engine connection, the same on every attempt so that a retry reuses it. Letters, digits and
 * underscores only: a dot or quote would break references to it (engine API, §5).
 */
export function externalConnectionId(partnerId: string, clientId: string | null, provider: Provider): string {
  const owner = clientId === null ? 'agency' : `c${clientId.replaceAll('-', '')}`;
  return `${connectionPrefix(partnerId)}${owner}_${provider}`;
}

/** What the names of all connections of one agency begin with, and of no other's. */
export function connectionPrefix(partnerId: string): string {
  return `p${partnerId.replaceAll('-', '')}_`;
}

export type FlowTag = { partnerId: string; clientId: string | null; workflowId: string; templateName: string; templateVersion: number };

/** The tag put on a flow, so that a flow found in the engine can be told from a stranger's. */
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

// Parts lose their `export`, so that the one thing a code step exports is `code`.
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

// The engine sends only `body.data`. Nobody there, or a fault of the server: tried again after 4, 8 and 16 seconds, so that a
// service that is started again meanwhile still hears of the run. A refusal is left alone, since a chatbot's turn has no
// executionId and its report is refused on purpose.
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
  return httpAction(REPORT_STEP, 'Report', input, options, CARRY_ON_AFTER_RETRIES);
}

const CARRY_ON = { continueOnFailure: { value: true }, retryOnFailure: { value: false } };
const CARRY_ON_AFTER_RETRIES = { continueOnFailure: { value: true }, retryOnFailure: { value: true } };

function httpAction(name: string, label: string, input: JsonObject, options: FlowOptions, errorHandlingOptions = CARRY_ON): FlowStep {
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
  const settings = { sourceCode: { code, packageJson: '{}' }, input, errorHandlingOptions: CARRY_ON };
  return { type: 'CODE', name, displayName: label, valid: true, lastUpdatedDate: STEP_DATE, settings };
}

type Condition = NonNullable<FlowBranch['conditions']>[number][number];

function guardStep(steps: TemplateStep[], index: number, action: FlowStep): FlowStep {
  const step = steps[index];
  const groups = step === undefined ? [] : guardConditions(steps.slice(0, index), step);
  if (groups.every((group) => group.length === 0)) return action;
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
 * Groups are joined by OR, conditions within a group by AND. The nearest earlier step that always runs must have
 * done well (which holds for all before it, by the same rule); a step between that runs only sometimes must have
 * done well or not have been wanted.
 */
function guardConditions(earlier: TemplateStep[], step: TemplateStep): Condition[][] {
  const lastSure = earlier.findLastIndex((one) => one.when === undefined);
  const sure = earlier[lastSure];
  const start: Condition[] = [...(sure === undefined ? [] : [didWell(sure)]), ...(step.when === undefined ? [] : [wanted(step.when)])];
  return earlier
    .slice(lastSure + 1)
    .reduce<Condition[][]>(
      (groups, one) =>
        groups.flatMap((group) => [[...group, didWell(one)], ...(one.when === undefined ? [] : [[...group, unwanted(one.when)]])]),
      [start],
    );
}

// A refused call has no top-level status, a step that did not run has nothing at all: both read as empty, thus not above zero.
function didWell(step: TemplateStep): Condition {
  return step.kind === 'http'
    ? { operator: 'NUMBER_IS_GREATER_THAN', firstValue: `{{${step.name}.status}}`, secondValue: '0' }
    : { operator: 'BOOLEAN_IS_TRUE', firstValue: `{{${step.name}.go}}` };
}

function wanted(when: StepCondition): Condition {
  return { operator: when.is === 'true' ? 'BOOLEAN_IS_TRUE' : 'EXISTS', firstValue: `{{${when.ref}}}` };
}

function unwanted(when: StepCondition): Condition {
  return { operator: when.is === 'true' ? 'BOOLEAN_IS_FALSE' : 'DOES_NOT_EXIST', firstValue: `{{${when.ref}}}` };
}
