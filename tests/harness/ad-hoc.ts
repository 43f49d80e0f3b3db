import type { Statement, StatementName, TypedStatement } from '@partner-portal/service/platform/db/statements.ts';

/** A statement that only a test runs. It is not among the service's own, whose types are read from the schema. */
export function adHoc(statement: Statement): TypedStatement<StatementName> {
  return statement as unknown as TypedStatement<StatementName>; // typed statements are sent as they are
}
