import { tokenize } from '../expression/tokenize.ts';
import type { Action, Trigger } from '../protocol.ts';
import { stepsOf } from './tree.ts';

/** Schema versions whose references name a step's output directly (`{{step_1.x}}`); null and absent count as old. */
const NEW_SPELLING = '22';

function rewriteExpression(source: string, steps: ReadonlySet<string>): string {
  const tokens = tokenize(source);
  if (tokens === undefined) return source;
  let rewritten = '';
  let copied = 0;
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    const isMember = before?.kind === 'sign' && (before.value === '.' || before.value === '?.');
    if (token.kind !== 'name' || isMember || !steps.has(token.value)) continue;
    rewritten += `${source.slice(copied, token.end)}['output']`;
    copied = token.end;
  }
  return rewritten + source.slice(copied);
}

function rewriteValue(value: unknown, steps: ReadonlySet<string>): unknown {
  if (typeof value === 'string') {
    if (!value.includes('{{')) return value;
    return value.replaceAll(/\{\{(.*?)\}\}/gs, (_match, source: string) => `{{${rewriteExpression(source, steps)}}}`);
  }
  if (Array.isArray(value)) return value.map((item) => rewriteValue(item, steps));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rewriteValue(item, steps)]));
  }
  return value;
}

function rewriteAction(action: Action, steps: ReadonlySet<string>): void {
  switch (action.type) {
    case 'PIECE':
    case 'CODE':
      action.settings.input = rewriteValue(action.settings.input, steps) as Record<string, unknown>;
      return;
    case 'LOOP_ON_ITEMS':
      action.settings.items = rewriteValue(action.settings.items, steps);
      return;
    case 'ROUTER':
      // Same shape in, same shape out: only texts inside the branches change.
      action.settings.branches = rewriteValue(action.settings.branches, steps) as typeof action.settings.branches;
  }
}

/**
 * Turns the references of an imported tree into the spelling of schema 22 (`{{trigger['output'].body.x}}`), in
 * place, unless the import says it is written that way already. A new spelling in an old import becomes a reference
 * to a member named "output" and resolves to "", as in the recorded engine.
 */
export function rewriteReferences(trigger: Trigger, schemaVersion: string | null | undefined): void {
  if (schemaVersion === NEW_SPELLING) return;
  const actions = stepsOf(trigger);
  const names = new Set([trigger.name, ...actions.map((action) => action.name)]);
  for (const action of actions) rewriteAction(action, names);
}
