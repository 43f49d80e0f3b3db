import { EngineError } from '../errors.ts';
import { FLOW_SCHEMA_VERSION } from '../protocol.ts';
import type { Action, FlowOperation, Trigger } from '../protocol.ts';
import { checkTree } from '../pieces.ts';
import { rewriteReferences } from './rewrite.ts';
import { actionOf, deleteActions, insertAction, stepsOf, updateAction } from './tree.ts';
import type { Place } from './tree.ts';

/** The content of a version, apart from its identity. */
export type FlowContent = {
  displayName: string;
  trigger: Trigger;
  valid: boolean;
  schemaVersion: string;
  connectionIds: string[];
  notes: unknown[];
};
type EditType = 'CHANGE_NAME' | 'UPDATE_TRIGGER' | 'ADD_ACTION' | 'UPDATE_ACTION' | 'DELETE_ACTION' | 'SET_SKIP_ACTION' | 'IMPORT_FLOW';
/** Operations that change a version's content, and so make a draft of a published flow. */
export type EditOperation = Extract<FlowOperation, { type: EditType }>;

const EDITS: ReadonlySet<string> = new Set<EditType>([
  'CHANGE_NAME',
  'UPDATE_TRIGGER',
  'ADD_ACTION',
  'UPDATE_ACTION',
  'DELETE_ACTION',
  'SET_SKIP_ACTION',
  'IMPORT_FLOW',
]);

export function isEdit(operation: FlowOperation): operation is EditOperation {
  return EDITS.has(operation.type);
}

/** The content of a new flow: a trigger that is still to be chosen. */
export function emptyContent(displayName: string, now: string): FlowContent {
  const trigger: Trigger = {
    name: 'trigger',
    valid: false,
    displayName: 'Select Trigger',
    lastUpdatedDate: now,
    type: 'EMPTY',
    settings: {},
  };
  return { displayName, trigger, valid: false, schemaVersion: FLOW_SCHEMA_VERSION, connectionIds: [], notes: [] };
}

/** Only connections named as a step's `auth` are listed on a version; the recorded engine tracks no others. */
function authConnections(trigger: Trigger): string[] {
  const found = new Set<string>();
  for (const action of stepsOf(trigger)) {
    if (action.type !== 'PIECE' || typeof action.settings.input['auth'] !== 'string') continue;
    const id = /\{\{\s*connections(?:\[\s*['"](.+?)['"]\s*\]|\.([^.\s}]+))/.exec(action.settings.input['auth']);
    const name = id?.[1] ?? id?.[2];
    if (name !== undefined) found.add(name);
  }
  return [...found];
}

function placeOf(request: Extract<EditOperation, { type: 'ADD_ACTION' }>['request'], trigger: Trigger): Place {
  const parent = stepsOf(trigger).find((step) => step.name === request.parentStep);
  const where = request.stepLocationRelativeToParent;
  // Behind a router or loop "after" and "inside" are both meant often; the engine wants it said.
  if (where === undefined && (parent?.type === 'ROUTER' || parent?.type === 'LOOP_ON_ITEMS')) {
    const kind = parent.type === 'ROUTER' ? 'Router' : 'Loop';
    throw new EngineError('FLOW_OPERATION_INVALID', { message: `${kind} step parent undefined not found` });
  }
  if (where === 'INSIDE_BRANCH') {
    if (request.branchIndex === undefined)
      throw new EngineError('FLOW_OPERATION_INVALID', { message: 'Branch index is required for INSIDE_BRANCH' });
    return { kind: where, branchIndex: request.branchIndex };
  }
  return { kind: where ?? 'AFTER' };
}

function importTree(trigger: Trigger, schemaVersion: string | null | undefined, now: string): Trigger {
  rewriteReferences(trigger, schemaVersion);
  trigger.lastUpdatedDate = now;
  for (const action of stepsOf(trigger)) {
    action.lastUpdatedDate = now;
    action.settings.sampleData = {};
    if (action.type === 'ROUTER') {
      // As many as there are branches, regardless of the length that was sent.
      action.children = action.settings.branches.map((_branch, index) => action.children[index] ?? null);
    }
  }
  return trigger;
}

function editTree(content: FlowContent, operation: EditOperation, now: string): void {
  const { trigger } = content;
  switch (operation.type) {
    case 'CHANGE_NAME':
      content.displayName = operation.request.displayName;
      return;
    case 'UPDATE_TRIGGER':
      content.trigger = { ...operation.request, lastUpdatedDate: now, nextAction: trigger.nextAction };
      return;
    case 'ADD_ACTION': {
      const action: Action = { ...actionOf(operation.request.action), lastUpdatedDate: now };
      insertAction(trigger, operation.request.parentStep, placeOf(operation.request, trigger), action);
      return;
    }
    case 'UPDATE_ACTION':
      updateAction(trigger, operation.request, now);
      return;
    case 'DELETE_ACTION':
      deleteActions(trigger, operation.request.names);
      return;
    case 'SET_SKIP_ACTION':
      for (const step of stepsOf(trigger)) if (operation.request.names.includes(step.name)) step.skip = operation.request.skip;
      return;
    case 'IMPORT_FLOW':
      content.displayName = operation.request.displayName;
      content.trigger = importTree(structuredClone(operation.request.trigger), operation.request.schemaVersion, now);
      content.notes = operation.request.notes ?? [];
  }
}

/**
 * The content of a version after one edit. Pure. Unknown steps and parents change nothing and are no error: so the
 * recorded engine does. Throws EngineError for an impossible place (400) and an unknown piece or version (404).
 */
export function applyEdit(before: FlowContent, operation: EditOperation, now: string): FlowContent {
  const content = structuredClone(before);
  editTree(content, operation, now);
  content.valid = checkTree(content.trigger);
  content.connectionIds = authConnections(content.trigger);
  content.schemaVersion = FLOW_SCHEMA_VERSION;
  return content;
}
