import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const resultValues = defineKind({
  name: 'result-values',
  about: 'What a result of an agent is worth to the agency, and the hours it saves, by template.',
  reach: 'partner',
  read: (tx, scope, after, limit) =>
    runStatement<'export_result_values'>(tx, {
      name: 'export_result_values',
      prepare: false,
      text: `select n.template_name as id, v.currency, v.value_minor, v.updated_at as value_updated_at, h.hours::text as hours, h.updated_at as hours_updated_at
        from (select x.template_name from result_value x where x.partner_id = $1 union select x.template_name from hours_estimate x where x.partner_id = $1) n
          left join result_value v on v.partner_id = $1 and v.template_name = n.template_name
          left join hours_estimate h on h.partner_id = $1 and h.template_name = n.template_name
        where ($2::text is null or n.template_name > $2) order by n.template_name limit $3`,
      values: [scope.partnerId, after, limit],
    }),
  columns: { id: 'value', currency: 'value', valueMinor: 'value', valueUpdatedAt: 'value', hours: 'value', hoursUpdatedAt: 'value' },
});
