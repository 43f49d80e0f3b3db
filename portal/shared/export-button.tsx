import { dayKey } from '../ui/text/format.ts';
import { useUiText } from '../ui/text/reader.ts';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { downloadCsv } from '../app/download.ts';
import { Button, type ButtonSize, IconButton } from '../ui/controls/button.tsx';
import { announceError } from './announce-error.ts';

type Props = {
  name: string;
  read: () => Promise<string>;
  size?: ButtonSize;
  word?: string;
  /** Shows the icon alone, with `word` as its label. */
  isIcon?: boolean;
};

/** Exports the filtered rows as a CSV file named after `name` and today's date. */
export function ExportButton({ name, read, size = 'md', word = 'Export as CSV', isIcon = false }: Props) {
  const t = useUiText();
  const save = useMutation({
    mutationFn: () => downloadCsv(read(), `${name}-${dayKey(new Date())}.csv`),
    onError: (error) => announceError(error, () => save.mutate()),
  });
  if (isIcon)
    return (
      <IconButton size={size} label={word} disabledReason={save.isPending ? t('ui.exporting') : undefined} onClick={() => save.mutate()}>
        <Download aria-hidden />
      </IconButton>
    );
  return (
    <Button size={size} icon={<Download aria-hidden />} busy={save.isPending && t('ui.exporting')} onClick={() => save.mutate()}>
      {word}
    </Button>
  );
}
