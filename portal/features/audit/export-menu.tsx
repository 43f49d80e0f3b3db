import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { api } from '../../app/api.ts';
import { downloadCsv, downloadText } from '../../app/download.ts';
import { Menu } from '../../ui/overlays/menu.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { auditQuery, knownQuery, type AuditScope, type AuditSearch } from './queries.ts';

/** Exports the filtered entries. The export itself is audited. */
export function ExportMenu({ filters }: { filters: AuditSearch & AuditScope }) {
  const save = useMutation({
    mutationFn: async (format: 'csv' | 'ndjson') => {
      const query = await knownQuery(auditQuery(filters));
      const name = `audit-log-${new Date().toISOString().slice(0, 10)}.${format}`;
      return format === 'csv'
        ? downloadCsv(api.exportAuditLogCsv({ query }), name)
        : downloadText(api.exportAuditLogNdjson({ query }), name, 'application/x-ndjson');
    },
    onError: (error) => announceError(error),
  });
  return (
    <Menu
      trigger={
        <Button size="sm" icon={<Download aria-hidden />} busy={save.isPending && 'Exporting'}>
          Export
        </Button>
      }
      items={[
        { label: 'As CSV', hint: 'for spreadsheets', onPick: () => save.mutate('csv') },
        { label: 'As JSON lines', hint: 'for scripts', onPick: () => save.mutate('ndjson') },
      ]}
    />
  );
}
