import { EngineError } from './errors.ts';
import { HTTP_PIECE, PIECE_VERSIONS, WEBHOOK_PIECE } from './protocol.ts';
import type { Action, Trigger } from './protocol.ts';
import { stepsOf } from './flow/tree.ts';

type Prop = { type: string; required: boolean; defaultValue?: unknown };
type Operation = { displayName: string; props: Record<string, Prop> };
type Piece = {
  name: string;
  displayName: string;
  version: string;
  actions: Record<string, Operation>;
  triggers: Record<string, Operation>;
};

const required = (type: string, defaultValue?: unknown): Prop =>
  defaultValue === undefined ? { type, required: true } : { type, required: true, defaultValue };
const optional = (type: string, defaultValue?: unknown): Prop =>
  defaultValue === undefined ? { type, required: false } : { type, required: false, defaultValue };

const PIECES: Piece[] = [
  {
    name: HTTP_PIECE,
    displayName: 'HTTP',
    version: PIECE_VERSIONS[HTTP_PIECE],
    actions: {
      send_request: {
        displayName: 'Send HTTP request',
        props: {
          method: required('STATIC_DROPDOWN'),
          url: required('SHORT_TEXT'),
          headers: required('OBJECT'),
          queryParams: required('OBJECT'),
          authType: required('STATIC_DROPDOWN', 'NONE'),
          authFields: optional('DYNAMIC'),
          body_type: optional('STATIC_DROPDOWN', 'none'),
          body: optional('DYNAMIC'),
          timeout: optional('NUMBER'),
          failureMode: optional('STATIC_DROPDOWN', 'continue_none'),
        },
      },
    },
    triggers: {},
  },
  {
    name: WEBHOOK_PIECE,
    displayName: 'Webhook',
    version: PIECE_VERSIONS[WEBHOOK_PIECE],
    actions: {
      return_response: {
        displayName: 'Return Response',
        props: {
          responseType: required('STATIC_DROPDOWN', 'json'),
          fields: required('DYNAMIC'),
          respond: optional('STATIC_DROPDOWN', 'stop'),
        },
      },
    },
    triggers: {
      catch_webhook: {
        displayName: 'Catch Webhook',
        props: { authType: required('STATIC_DROPDOWN', 'none'), authFields: optional('DYNAMIC') },
      },
    },
  },
];

function unknownPiece(pieceName: string): EngineError {
  return new EngineError('ENTITY_NOT_FOUND', { message: `piece_metadata_not_found pieceName=${pieceName}` });
}

/** The piece this engine can run, by name and (when given) exact version; `~` before a version is ignored. Throws 404. */
export function findPiece(pieceName: string, version?: string): Piece {
  const piece = PIECES.find((candidate) => candidate.name === pieceName);
  if (piece === undefined) throw unknownPiece(pieceName);
  if (version !== undefined && version.replace(/^[~^]/, '') !== piece.version) throw unknownPiece(pieceName);
  return piece;
}

function hasRequired(operation: Operation, input: Record<string, unknown>): boolean {
  return Object.entries(operation.props).every(
    ([key, prop]) => !prop.required || (input[key] !== undefined && input[key] !== null && input[key] !== ''),
  );
}

function isValidAction(action: Action): boolean {
  switch (action.type) {
    case 'PIECE': {
      const operation = findPiece(action.settings.pieceName).actions[action.settings.actionName ?? ''];
      return operation !== undefined && hasRequired(operation, action.settings.input);
    }
    case 'CODE':
      return action.settings.sourceCode.code.trim() !== '';
    case 'LOOP_ON_ITEMS':
      return action.settings.items !== '' && action.settings.items !== undefined;
    case 'ROUTER':
      return action.settings.branches.every(
        (branch) =>
          branch.branchType === 'FALLBACK' ||
          branch.conditions.every((all) => all.every((one) => one.operator !== undefined && one.firstValue !== undefined)),
      );
  }
}

/**
 * Writes the engine's own answer into `valid` of every step and exact versions into the settings, in place, and
 * says whether the whole flow is valid. Throws 404 for a piece or version this engine cannot run.
 */
export function checkTree(trigger: Trigger): boolean {
  if (trigger.type === 'PIECE_TRIGGER') {
    const piece = findPiece(trigger.settings.pieceName, trigger.settings.pieceVersion);
    trigger.settings.pieceVersion = piece.version;
    const operation = piece.triggers[trigger.settings.triggerName ?? ''];
    trigger.valid = operation !== undefined && hasRequired(operation, trigger.settings.input);
  } else trigger.valid = false;
  let allValid = trigger.valid;
  for (const action of stepsOf(trigger)) {
    if (action.type === 'PIECE') {
      action.settings.pieceVersion = findPiece(action.settings.pieceName, action.settings.pieceVersion).version;
    }
    action.valid = isValidAction(action);
    allValid &&= action.valid || action.skip === true;
  }
  return allValid;
}
