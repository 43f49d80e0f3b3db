import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useMessages } from '../../app/messages.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { useKeys } from '../../ui/keyboard/key-bindings.ts';
import { asHeading } from '../../ui/text/format.ts';
import { formatMonth } from './months.ts';

type Props = { months: readonly string[]; month: string; onMonth: (month: string) => void; size?: 'lg' | undefined };

/** The month of the report, newest first. J is the one before, K the one after. */
export function MonthPicker({ months, month, onMonth, size }: Props) {
  const { t, tag } = useMessages();
  const at = months.indexOf(month);
  const [older, newer] = [months[at + 1], months[at - 1]];
  const go = (to: string | undefined): void => {
    if (to !== undefined) onMonth(to);
  };
  useKeys([
    { keys: 'j', label: t('report-page.older'), group: 'This page', run: () => go(older) },
    { keys: 'k', label: t('report-page.newer'), group: 'This page', run: () => go(newer) },
  ]);
  const buttonSize = size === undefined ? {} : { size };
  return (
    <div className="flex items-center gap-1" role="group" aria-label={t('report-page.month')}>
      <IconButton
        label={t('report-page.older')}
        {...buttonSize}
        {...(older === undefined ? { disabledReason: t('report-page.no-older') } : {})}
        onClick={() => go(older)}
      >
        <ChevronLeft aria-hidden />
      </IconButton>
      <div className="w-44">
        <Select
          label={t('report-page.month')}
          value={month}
          onChange={onMonth}
          options={months.map((value) => ({ value, label: asHeading(formatMonth(value, tag), tag) }))}
          {...buttonSize}
        />
      </div>
      <IconButton
        label={t('report-page.newer')}
        {...buttonSize}
        {...(newer === undefined ? { disabledReason: t('report-page.no-newer') } : {})}
        onClick={() => go(newer)}
      >
        <ChevronRight aria-hidden />
      </IconButton>
    </div>
  );
}
