import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const agents = defineKind({
  name: 'agents',
  about: 'Agents with their settings.',
  reach: 'client',
  read: (tx, scope, after, limit) =>
    runStatement<'export_agents'>(tx, {
      name: 'export_agents',
      prepare: false,
      text: `select t.id, t.client_id, t.name, t.description, t.template_name, t.template_version, t.is_active, t.client_can_pause,
          t.credits_per_run, t.config::text as config, t.event_id_from::text as event_id_from, t.date_order, t.last_run_at, t.created_at, t.updated_at
        from workflow t
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    id: 'value',
    clientId: 'value',
    name: 'value',
    description: 'value',
    templateName: 'value',
    templateVersion: 'value',
    isActive: 'value',
    clientCanPause: 'value',
    creditsPerRun: 'value',
    config: 'json',
    eventIdFrom: 'json',
    dateOrder: 'value',
    lastRunAt: 'value',
    createdAt: 'value',
    updatedAt: 'value',
  },
});
