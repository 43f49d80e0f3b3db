import { defineHandlers } from '#platform/http/context.ts';
import { CSV_PAGE, csvOfList } from '#platform/http/csv-list.ts';
import { changeAlertRules, readAlertRules } from './change-rules.ts';
import type { AlertsDeps } from './deps.ts';
import { changeAlert } from './move-alert.ts';
import { ALERT_COLUMNS, readAlerts } from './read-alerts.ts';

export function alertHandlers(deps: AlertsDeps) {
  return defineHandlers({
    listAlerts: ({ query }, { actor }) => readAlerts(deps, actor, query),
    exportAlerts: ({ query }, { actor, now }) =>
      csvOfList({ name: 'alerts', now }, ALERT_COLUMNS, (cursor) => readAlerts(deps, actor, { ...query, limit: CSV_PAGE, cursor })),
    getAlertRules: (_input, { actor }) => readAlertRules(deps, actor),
    putAlertRules: ({ body }, context) => changeAlertRules(deps, context, body),
    acknowledgeAlert: ({ params, body }, context) => changeAlert(deps, context, params.id, { move: 'acknowledge', note: body?.note }),
    resolveAlert: ({ params, body }, context) => changeAlert(deps, context, params.id, { move: 'resolve', note: body?.note }),
  });
}
