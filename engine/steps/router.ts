import type { RouterAction, RouterBranch, RouterCondition, RouterOperator } from '../protocol.ts';
import { StepError } from './step.ts';

type Test = (first: unknown, second: unknown, caseSensitive: boolean) => boolean;

const text = (value: unknown, caseSensitive: boolean): string => {
  const plain = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
  return caseSensitive ? plain : plain.toLowerCase();
};
const textTest =
  (test: (first: string, second: string) => boolean): Test =>
  (first, second, caseSensitive) =>
    test(text(first, caseSensitive), text(second, caseSensitive));
const not =
  (test: Test): Test =>
  (first, second, caseSensitive) =>
    !test(first, second, caseSensitive);
const number = (value: unknown): number => (value === '' || value === null || value === undefined ? Number.NaN : Number(value));
const numberTest =
  (test: (first: number, second: number) => boolean): Test =>
  (first, second) =>
    test(number(first), number(second));
const time = (value: unknown): number => (typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN);
const dateTest =
  (test: (first: number, second: number) => boolean): Test =>
  (first, second) =>
    test(time(first), time(second));
const list = (value: unknown): unknown[] | undefined => {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
};
const isTrue: Test = (first) => first === true || (typeof first === 'string' && first.toLowerCase() === 'true');
const isFalse: Test = (first) => first === false || (typeof first === 'string' && first.toLowerCase() === 'false');
const exists: Test = (first) => first !== undefined && first !== null && first !== '';
const listContains: Test = (first, second, caseSensitive) =>
  (list(first) ?? []).some((item) => text(item, caseSensitive) === text(second, caseSensitive));

const TESTS: Record<RouterOperator, Test> = {
  TEXT_CONTAINS: textTest((first, second) => first.includes(second)),
  TEXT_DOES_NOT_CONTAIN: not(textTest((first, second) => first.includes(second))),
  TEXT_EXACTLY_MATCHES: textTest((first, second) => first === second),
  TEXT_DOES_NOT_EXACTLY_MATCH: not(textTest((first, second) => first === second)),
  TEXT_STARTS_WITH: textTest((first, second) => first.startsWith(second)),
  TEXT_DOES_NOT_START_WITH: not(textTest((first, second) => first.startsWith(second))),
  TEXT_ENDS_WITH: textTest((first, second) => first.endsWith(second)),
  TEXT_DOES_NOT_END_WITH: not(textTest((first, second) => first.endsWith(second))),
  NUMBER_IS_GREATER_THAN: numberTest((first, second) => first > second),
  NUMBER_IS_LESS_THAN: numberTest((first, second) => first < second),
  NUMBER_IS_EQUAL_TO: numberTest((first, second) => first === second),
  BOOLEAN_IS_TRUE: isTrue,
  BOOLEAN_IS_FALSE: isFalse,
  EXISTS: exists,
  DOES_NOT_EXIST: not(exists),
  LIST_CONTAINS: listContains,
  LIST_DOES_NOT_CONTAIN: not(listContains),
  LIST_IS_EMPTY: (first) => list(first)?.length === 0,
  LIST_IS_NOT_EMPTY: (first) => (list(first)?.length ?? 0) > 0,
  DATE_IS_BEFORE: dateTest((first, second) => first < second),
  DATE_IS_AFTER: dateTest((first, second) => first > second),
  DATE_IS_EQUAL: dateTest((first, second) => first === second),
};

function holds(condition: RouterCondition): boolean {
  if (condition.operator === undefined) throw new StepError('The condition has no operator');
  return TESTS[condition.operator](condition.firstValue, condition.secondValue, condition.caseSensitive === true);
}

function evaluation(branch: RouterBranch): boolean {
  return branch.branchType === 'CONDITION' && branch.conditions.some((all) => all.every(holds));
}

/**
 * Which branches of a router hold, as `{branches: [{branchName, branchIndex (from 1), evaluation}]}`. Takes settings
 * whose expressions are resolved. Outer lists of conditions mean OR, inner ones AND; a fallback holds when no
 * condition did.
 */
export function evaluateRouter(settings: RouterAction['settings']): {
  branches: { branchName: string; branchIndex: number; evaluation: boolean }[];
} {
  const results = settings.branches.map(evaluation);
  const none = !results.includes(true);
  return {
    branches: settings.branches.map((branch, index) => ({
      branchName: branch.branchName,
      branchIndex: index + 1,
      evaluation: branch.branchType === 'FALLBACK' ? none : results[index] === true,
    })),
  };
}
