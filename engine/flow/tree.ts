import type { Action, SingleAction, Trigger } from '../protocol.ts';

/** All actions below a trigger in reading order, with those inside loops and branches. */
export function stepsOf(trigger: Trigger): Action[] {
  const found: Action[] = [];
  const visit = (action: Action | null | undefined): void => {
    for (let current = action; current; current = current.nextAction) {
      found.push(current);
      if (current.type === 'LOOP_ON_ITEMS') visit(current.firstLoopAction);
      if (current.type === 'ROUTER') current.children.forEach(visit);
    }
  };
  visit(trigger.nextAction);
  return found;
}

/** A new action as the tree holds it: routers start with one empty child per branch. */
export function actionOf(single: SingleAction): Action {
  if (single.type === 'ROUTER') return { ...single, children: single.settings.branches.map(() => null) };
  return { ...single };
}

export type Place = { kind: 'AFTER' } | { kind: 'INSIDE_LOOP' } | { kind: 'INSIDE_BRANCH'; branchIndex: number };

/**
 * Puts an action behind or into the step named `parentName`; what followed there now follows the new action.
 * Returns false when there is no such parent, or it has no such place.
 */
export function insertAction(trigger: Trigger, parentName: string, place: Place, action: Action): boolean {
  const parent = parentName === trigger.name ? trigger : stepsOf(trigger).find((step) => step.name === parentName);
  if (parent === undefined) return false;
  if (place.kind === 'AFTER') {
    action.nextAction = parent.nextAction;
    parent.nextAction = action;
    return true;
  }
  if (place.kind === 'INSIDE_LOOP' && parent.type === 'LOOP_ON_ITEMS') {
    action.nextAction = parent.firstLoopAction;
    parent.firstLoopAction = action;
    return true;
  }
  if (place.kind === 'INSIDE_BRANCH' && parent.type === 'ROUTER' && place.branchIndex in parent.children) {
    action.nextAction = parent.children[place.branchIndex];
    parent.children[place.branchIndex] = action;
    return true;
  }
  return false;
}

/** Takes the named actions out of the tree; their followers close the gap. */
export function deleteActions(trigger: Trigger, names: readonly string[]): void {
  const gone = new Set(names);
  const keep = (action: Action | null | undefined): Action | undefined => {
    let current = action ?? undefined;
    while (current !== undefined && gone.has(current.name)) current = current.nextAction ?? undefined;
    if (current === undefined) return undefined;
    current.nextAction = keep(current.nextAction);
    if (current.type === 'LOOP_ON_ITEMS') current.firstLoopAction = keep(current.firstLoopAction);
    if (current.type === 'ROUTER') current.children = current.children.map((child) => keep(child) ?? null);
    return current;
  };
  trigger.nextAction = keep(trigger.nextAction);
}

/** Replaces what the step of the same name is set to, keeping its followers and (same kind) its inner steps. */
export function updateAction(trigger: Trigger, single: SingleAction, now: string): void {
  for (const step of stepsOf(trigger)) {
    if (step.name !== single.name) continue;
    const fresh = actionOf(single);
    if (fresh.type === 'ROUTER' && step.type === 'ROUTER') {
      fresh.children = fresh.settings.branches.map((_branch, index) => step.children[index] ?? null);
    }
    Object.assign(step, fresh, { lastUpdatedDate: now });
    return;
  }
}
