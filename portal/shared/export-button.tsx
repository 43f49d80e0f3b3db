import { dayKey } from '../ui/text/format.ts';
import { useUiText } from '../ui/text/reader.ts';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { downloadCsv } from '../app/download.ts';
import { Button, type ButtonSize } from '../ui/controls/button.tsx';
import { announceError } from './announce-error.ts';

type Props = { name: string; read: () => Promise<string>; size?: ButtonSize; word?: string };

/** Exports the filtered rows as a CSV file named after `name` and today's date. */
export function ExportButton({ name, read, size = 'md', word = 'Export as CSV' }: Props) {
  const t = useUiText();
  const save = useMutation({
    mutationFn: () => downloadCsv(read(), `${name}-${dayKey(new Date())}.csv`),
    onError: (error) => announceError(error, () => save.mutate()),
  });
  return (
    <Button size={size} icon={<Download aria-hidden />} busy={save.isPending && t('ui.exporting')} onClick={() => save.mutate()}>
      {word}
    </Button>
  );
}
