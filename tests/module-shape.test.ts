import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import type { ErrorCode } from '@partner-portal/contract/errors.ts';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { routes } from '@partner-portal/contract/index.ts';

/** Every module has the shape that CONTRIBUTING.md describes, so that a file is found by its name. */

const MODULES = join(import.meta.dirname, '..', 'service', 'modules');
const files = globSync('*/*/**/*.ts', { cwd: MODULES }).filter((file) => !/\.test\.ts$|\/test-[^/]+$/.test(file));
const read = (file: string): string => readFileSync(join(MODULES, file), 'utf8');
const SQL =
  /\brunStatement[<(]|\bsql(?:<[^`]*>)?`|\bquery(?:<[^`]*>)?`|\bdb\.call[<(]|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/;
const named = (name: string): string[] => files.filter((file) => basename(file) === name);

/** Each file of the account export is one kind, its statement with its columns. */
const EXPORT_KIND = /^6-views\/account-export\/kinds\/[a-z-]+\.ts$/;

/** Refusals that the platform decides, or one rule for many routes: tests/journeys and the tests of the platform guard them. */
const GENERAL: ReadonlySet<ErrorCode> = new Set([
  'validation_failed',
  'invalid_query',
  'invalid_cursor',
  'not_found',
  'scope_forbidden',
  'account_suspended',
  'view_as_read_only',
  'rate_limited',
  'unsupported_media_type',
  'range_not_satisfiable',
  'service_unavailable',
]);

/** Tests of refusals that their routes pass on from another use-case, or share with other routes. */
const DECIDED_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  '1-ledger/mail/delivery/without-transport.test.ts': ['retryMail'],
  '2-tenancy/domains/domains.test.ts': ['login'],
  '2-tenancy/sso/sso.test.ts': ['login'],
  '2-tenancy/team/team.test.ts': ['resetUserMfa'],
  '3-product/chatbot/settings/settings.test.ts': [
    'listKnowledge',
    'uploadKnowledge',
    'deleteKnowledge',
    'searchKnowledge',
    'getChatbotFigures',
  ],
  '3-product/executions/accept/ingest.test.ts': [
    'ingestEvent',
    'triggerWorkflow',
    'rerunExecution',
    'rerunFailed',
    'startSampleRun',
    'testAgent',
  ],
  '3-product/executions/accept/understood.test.ts': ['ingestEvent', 'triggerWorkflow', 'rerunExecution', 'startSampleRun', 'testAgent'],
  '3-product/executions/report/report-proof.test.ts': ['reportExecution'],
  '4-setup/provisioning/views/refresh-engine.test.ts': ['refreshEngine'],
};

/** The handlers of a routes.ts, each with the files that it calls: directly, or by a function of the same file. */
function handlersOf(file: string): { route: string; calls: string[] }[] {
  const text = read(file);
  const imported = new Map<string, string>();
  for (const [, names = '', path = ''] of text.matchAll(/^import (?!type)\{([^}]*)\} from '(\.{1,2}\/[^']+)';/gm))
    for (const name of names.split(',')) imported.set(name.trim(), join(dirname(file), path));
  const at = text.indexOf('defineHandlers({');
  const local = new Map(partsOf(text.slice(0, at), /^ {2}const (?:\{ )?(\w+)/gm));
  return partsOf(text.slice(at), /^ {4}(?:async )?(\w+)[:,(]/gm).map(([route, handler]) => ({
    route,
    calls: wordsOf(handler)
      .flatMap((word) => [word, ...wordsOf(local.get(word) ?? '')])
      .flatMap((word) => imported.get(word) ?? [])
      .filter((call) => !/^(?:deps|to-record|store.*)\.ts$/.test(basename(call))),
  }));
}

/** Splits a text before each match; the parts by the first group. */
function partsOf(text: string, begin: RegExp): [name: string, part: string][] {
  const found = [...text.matchAll(begin)];
  return found.map(({ 1: name = '', index }, n) => [name, text.slice(index, found[n + 1]?.index)]);
}

const wordsOf = (text: string): string[] => text.match(/\w+/g) ?? [];

/** The tests of a use-case, as CONTRIBUTING.md says: next to it, in its folder, in its module. */
function testsOf(file: string): string[] {
  const folder = dirname(file);
  const module = file.split('/').slice(0, 2).join('/');
  return [file.replace(/\.ts$/, '.test.ts'), ...[folder, module].map((one) => join(one, `${basename(one)}.test.ts`))];
}

describe('the shape of a module', () => {
  it('is checked where modules are', () => {
    assert.ok(globSync('*/*', { cwd: MODULES }).length > 40 && files.length > 500, `${files.length} files`);
    assert.ok(named('routes.ts').length > 40 && named('deps.ts').length > 25);
  });

  it('binds routes in routes.ts and nowhere else', () => {
    assert.deepEqual(
      files.filter((file) => read(file).includes('defineHandlers') && basename(file) !== 'routes.ts'),
      [],
    );
    assert.deepEqual(
      named('routes.ts').filter((file) => !read(file).includes('defineHandlers(')),
      [],
    );
  });

  it('exports from routes.ts only functions that return handlers', () => {
    for (const file of named('routes.ts'))
      for (const [, name = ''] of read(file).matchAll(/^export (?:async )?(?:function|const) (\w+)/gm))
        assert.match(name, /Handlers$/, file);
  });

  it('has its factory in index.ts, next to a FEATURE.md, and neither SQL nor refusals there', () => {
    for (const module of globSync('*/*', { cwd: MODULES })) {
      const text = read(join(module, 'index.ts'));
      assert.ok(existsSync(join(MODULES, module, 'FEATURE.md')), module);
      assert.doesNotMatch(text, /runStatement|\bsql`|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\brefuse\(/, module);
    }
  });

  it('has a deps.ts only where use-cases share what they are built from', () => {
    for (const file of named('deps.ts')) {
      const exported = [...read(file).matchAll(/^export (?:type|function|const) (?:\{ )?(\w+)/gm)].map(([, name = '']) => name);
      const users = files.filter(
        (user) => user.startsWith(`${dirname(file)}/`) && user !== file && /from '(?:\.\.?\/)+deps\.ts'/.test(read(user)),
      );
      const useCases = users.filter((user) => !['index.ts', 'routes.ts'].includes(basename(user)));
      assert.ok(exported.length > 0 && useCases.length > 0, `${file} is used by ${users.join(', ') || 'nothing'}`);
    }
  });

  it('holds its SQL in store.ts and store-*.ts', () => {
    const outside = files.filter((file) => SQL.test(read(file)) && !/^store(?:-[a-z-]+)?\.ts$/.test(basename(file)));
    assert.ok(outside.some((file) => EXPORT_KIND.test(file)));
    assert.deepEqual(
      outside.filter((file) => !EXPORT_KIND.test(file)),
      [],
    );
    assert.ok(files.filter((file) => SQL.test(read(file))).length > 100, 'SQL is recognised');
  });

  it('tests what a route refuses next to its use-case, in the test of its folder, or in that of its module', () => {
    const table: Readonly<Record<string, RouteShape>> = routes;
    const problems: string[] = [];
    const unneeded = new Set(Object.entries(DECIDED_ELSEWHERE).flatMap(([test, passing]) => passing.map((route) => `${route} in ${test}`)));
    let checked = 0;
    for (const file of named('routes.ts'))
      for (const { route, calls } of handlersOf(file)) {
        const tests = [...new Set([file, ...calls].flatMap(testsOf))].filter((test) => existsSync(join(MODULES, test)));
        if (tests.length === 0) problems.push(`${route} has no test for ${calls.join(', ') || file}`);
        const others = Object.keys(DECIDED_ELSEWHERE).filter((test) => DECIDED_ELSEWHERE[test]?.includes(route));
        for (const code of table[route]?.errors ?? []) {
          if (GENERAL.has(code)) continue;
          checked += 1;
          if (tests.some((test) => read(test).includes(code))) continue;
          const other = others.find((test) => read(test).includes(code));
          if (other === undefined) problems.push(`${route} refuses ${code}, in none of ${tests.join(', ')}`);
          else unneeded.delete(`${route} in ${other}`);
        }
      }
    assert.deepEqual([...unneeded], []);
    assert.deepEqual(problems, []);
    assert.ok(checked > 150, `${checked} refusals`);
  });
});
