import { isObject } from '../json/is-object.ts';
import type { FlowStep, ImportFlow } from './template.ts';

/** Compares a flow returned by the engine with the flow that was sent, for the `verify_flows` step. */

export type FlowDifference = { step: string; what: string };

/**
 * Returns the differences between the engine's flow and the template; an empty list means they match. The engine rewrites
 * `{{x.y}}` to `{{x['output'].y}}`, sets dates and adds members of its own: these are ignored. A different name, kind, piece, input,
 * source, branch or position of a step is a difference.
 */
export function compareFlow(expected: ImportFlow, version: unknown): FlowDifference[] {
  if (!isObject(version)) return [{ step: 'trigger', what: 'the engine returned no flow version' }];
  const differences = compareStep(expected.trigger, version['trigger']);
  if (version['valid'] !== true) differences.push({ step: 'trigger', what: 'the engine calls the flow invalid' });
  return differences;
}

function compareStep(expected: FlowStep, found: unknown): FlowDifference[] {
  const { name } = expected;
  if (!isObject(found)) return [{ step: name, what: 'is missing' }];
  if (found['name'] !== name) return [{ step: name, what: `is expected where “${String(found['name'])}” was found` }];
  const differences: FlowDifference[] = [];
  if (found['type'] !== expected.type) differences.push({ step: name, what: `is a ${String(found['type'])}, not a ${expected.type}` });
  if (found['skip'] === true) differences.push({ step: name, what: 'is switched off' });
  const settings = isObject(found['settings']) ? found['settings'] : {};
  for (const [key, value] of Object.entries(expected.settings)) {
    if (!equals(value, settings[key])) differences.push({ step: name, what: `differs in ${key}` });
  }
  return [...differences, ...compareChildren(expected, found['children']), ...compareNext(expected, found['nextAction'])];
}

function compareChildren(expected: FlowStep, found: unknown): FlowDifference[] {
  const children = Array.isArray(found) ? found : [];
  const wanted = expected.children ?? [];
  if (wanted.length !== children.length) return [{ step: expected.name, what: `has ${children.length} branches, not ${wanted.length}` }];
  return wanted.flatMap((child, index) => {
    if (child !== null) return compareStep(child, children[index]);
    return isObject(children[index]) ? [{ step: expected.name, what: `has a step in branch ${index + 1} that should be empty` }] : [];
  });
}

function compareNext(expected: FlowStep, found: unknown): FlowDifference[] {
  if (expected.nextAction !== undefined) return compareStep(expected.nextAction, found);
  return isObject(found) ? [{ step: String(found['name']), what: 'is not part of the template' }] : [];
}

// The engine adds members to a step's settings but never inside one. There an extra member (such as a header added by hand) is a
// difference, like a missing one.
function equals(expected: unknown, found: unknown): boolean {
  if (typeof expected === 'string') return typeof found === 'string' && sameText(expected, found);
  if (Array.isArray(expected)) {
    return Array.isArray(found) && found.length === expected.length && expected.every((item, index) => equals(item, found[index]));
  }
  if (!isObject(expected)) return expected === found;
  if (!isObject(found) || Object.keys(found).length !== Object.keys(expected).length) return false;
  return Object.entries(expected).every(([key, value]) => equals(value, found[key]));
}

function sameText(expected: string, found: string): boolean {
  return expected === found || oldSpelling(expected) === oldSpelling(found);
}

function oldSpelling(text: string): string {
  return text.replace(/\{\{\s*([A-Za-z_]\w*)\[['"]output['"]\]/g, '{{$1').replace(/\{\{\s+/g, '{{');
}
