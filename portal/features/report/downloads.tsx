import { reportFileName } from '@partner-portal/core/text/file-name.ts';
import { useMutation } from '@tanstack/react-query';
import { ChevronDown, Download, Printer } from 'lucide-react';
import { api } from '../../app/api.ts';
import { downloadCsv, downloadPdf } from '../../app/download.ts';
import { useMessages } from '../../app/messages.ts';
import type { Report } from './queries.ts';
import { announceError } from '../../shared/announce-error.ts';
import { Button, type ButtonSize } from '../../ui/controls/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import './report.css';

type Paper = 'A4' | 'Letter';

/** The month as a file, or on paper. */
export function Downloads({ report: { client, month }, size = 'md' }: { report: Report; size?: ButtonSize | undefined }) {
  const { t } = useMessages();
  const csv = useMutation({
    mutationFn: () =>
      downloadCsv(api.exportClientReport({ params: { id: client.id }, query: { month } }), reportFileName(client.name, month, 'csv')),
    onError: (error) => announceError(error, () => csv.mutate()),
  });
  const pdf = useMutation({
    mutationFn: (paper: Paper) =>
      downloadPdf(api.printClientReport({ params: { id: client.id }, query: { month, paper } }), reportFileName(client.name, month, 'pdf')),
    onError: (error, paper) => announceError(error, () => pdf.mutate(paper)),
  });
  return (
    <div className="report-actions">
      <Menu
        label={t('report-page.paper')}
        align="start"
        trigger={
          <Button size={size} icon={<Download aria-hidden />} busy={pdf.isPending && t('ui.loading')}>
            {t('report-page.pdf')}
            <ChevronDown className="icon" aria-hidden />
          </Button>
        }
        items={[
          { label: t('report-page.paper-a4'), onPick: () => pdf.mutate('A4') },
          { label: t('report-page.paper-letter'), onPick: () => pdf.mutate('Letter') },
        ]}
      />
      <Button size={size} icon={<Download aria-hidden />} busy={csv.isPending && t('ui.exporting')} onClick={() => csv.mutate()}>
        {t('report-page.csv')}
      </Button>
      <Button size={size} icon={<Printer aria-hidden />} onClick={() => window.print()}>
        {t('report-page.print')}
      </Button>
    </div>
  );
}
