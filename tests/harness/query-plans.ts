import { openSync, readSync, statSync, closeSync } from 'node:fs';

/** What the server did for the statements of one call. */
export type Work = {
  /** Blocks of 8 kB that the statements looked at. */
  blocks: number;
  /** Most rows that one node sorted. */
  sorted: number;
  /** Most rows that one node passed on, in all its loops. */
  passed: number;
  /** Most rows that one node read and dropped, in all its loops. */
  dropped: number;
  /** Partitions with more than a thousand rows that were read from end to end. */
  scanned: string[];
};

type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
};

const PARTITION = /_(?:\d{4}_\d{2}|other)$/;
const ROWS_NOTED = 1_000;

/** Reads the plans that the server writes to its log (auto_explain, format JSON), from the end of what was read before. */
export function openPlanLog(logFile: string): { take(): Work; skip(): void } {
  let position = 0;
  const skip = (): void => void (position = statSync(logFile).size);
  skip();
  return {
    skip,
    take() {
      const size = statSync(logFile).size;
      const text = readRange(logFile, position, size);
      position = size;
      const work: Work = { blocks: 0, sorted: 0, passed: 0, dropped: 0, scanned: [] };
      for (const plan of plansIn(text)) addPlan(plan, work);
      return work;
    },
  };
}

export function plansIn(log: string): PlanNode[] {
  return [...log.matchAll(/ ms {2}plan:\n((?:\t.*\n)+)/g)].map(
    // The server's own format, as far as it is read here.
    ([, json = '']) => (JSON.parse(json) as { Plan: PlanNode }).Plan,
  );
}

/** Adds what the server did by this plan. */
export function addPlan(plan: PlanNode, work: Work): void {
  work.blocks += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  note(plan, work);
}

/** Adds what a plan and its parts sorted and scanned. */
function note(node: PlanNode, work: Work): void {
  const rows = rowsOf(node);
  work.passed = Math.max(work.passed, rows);
  work.dropped = Math.max(work.dropped, Math.round((node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 0)));
  if (node['Node Type'] === 'Sort' || node['Node Type'] === 'Incremental Sort') work.sorted = Math.max(work.sorted, rowsInto(node));
  const relation = node['Relation Name'] ?? '';
  if (node['Node Type'] === 'Seq Scan' && PARTITION.test(relation) && rows + (node['Rows Removed by Filter'] ?? 0) >= ROWS_NOTED)
    work.scanned.push(relation);
  for (const part of node.Plans ?? []) note(part, work);
}

/** A top-N sort passes on N rows and reads all of them. */
function rowsInto(node: PlanNode): number {
  return Math.max(...(node.Plans ?? []).map(rowsOf), 0);
}

/** The server gives the rows of a loop as a mean. */
function rowsOf(node: PlanNode): number {
  return Math.round((node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0));
}

function readRange(file: string, from: number, to: number): string {
  const buffer = Buffer.alloc(Math.max(0, to - from));
  const fd = openSync(file, 'r');
  try {
    readSync(fd, buffer, 0, buffer.length, from);
  } finally {
    closeSync(fd);
  }
  return buffer.toString();
}
