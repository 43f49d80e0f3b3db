import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findStatements } from './find-statements.ts';

/** Tables a module writes and tables it only reads, by name. */
export type TableUse = { writes: Set<string>; reads: Set<string> };

const ROOT = join(import.meta.dirname, '..', '..');
const WRITE = /\b(?:insert\s+into|update|delete\s+from)\s+([a-z_]+)/gi;
const READ = /\b(?:from|join|using)\s+([a-z_]+)/gi;
const BUILDER = /\.(selectFrom|innerJoin|leftJoin|insertInto|updateTable|deleteFrom)\(\s*'(\w+)/g;

/**
 * Reads from the source which tables each module uses: in its statements, in calls of the query builder and in its SQL functions
 * (`service/schema/functions/<module>/`). Modules are named by folder, as `3-product/agents`; functions of no module are left out.
 */
export function findTableUse(tables: ReadonlySet<string>): Map<string, TableUse> {
  const uses = new Map<string, TableUse>();
  const modules = globSync('service/modules/*/*', { cwd: ROOT }).map((path) => path.split('/').slice(2).join('/'));
  const add = (module: string, text: string): void => {
    const known = uses.get(module) ?? { writes: new Set(), reads: new Set() };
    uses.set(module, known);
    collect(text, tables, known);
  };
  for (const { file, texts } of findStatements()) {
    const module = moduleOf(file);
    if (module) for (const text of texts) add(module, text);
  }
  for (const file of globSync('service/modules/**/*.ts', { cwd: ROOT })) {
    const module = moduleOf(file);
    if (!module || file.includes('.test.')) continue;
    for (const [, method = '', table = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(BUILDER)) {
      add(module, `${/^(?:insert|update|delete)/.test(method) ? 'update' : 'from'} ${toSnake(table)}`);
    }
  }
  for (const file of globSync('service/schema/functions/*/*.sql', { cwd: ROOT })) {
    const [, , , folder = ''] = file.split('/');
    const module = modules.find((one) => one.split('/')[1] === folder);
    if (module) add(module, readFileSync(join(ROOT, file), 'utf8').replace(/--.*$/gm, ''));
  }
  return uses;
}

/** Adds the tables of one SQL text. A table that is written is not listed as read. */
export function collect(text: string, tables: ReadonlySet<string>, into: TableUse): void {
  for (const [, table = ''] of text.matchAll(WRITE)) if (tables.has(table)) into.writes.add(table);
  for (const [, table = ''] of text.matchAll(READ)) if (tables.has(table)) into.reads.add(table);
  for (const table of into.writes) into.reads.delete(table);
}

function moduleOf(file: string): string | undefined {
  return /^service\/modules\/([^/]+\/[^/]+)\//.exec(file)?.[1];
}

const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
