import { useUiText } from '../text/reader.ts';
import { type ReactNode } from 'react';
import { READ_ONLY } from './read-only.ts';
import { Tooltip } from '../overlays/tooltip.tsx';
import { renderSwitch } from './plain-switch.tsx';

type SwitchProps = {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: string;
  showWord?: boolean;
  disabledReason?: ReactNode;
};

/** A switch named after what it switches. It takes effect immediately; the caller offers Undo. `showWord` shows On or Off next to it. */
export function Switch(props: SwitchProps) {
  const { checked, onChange, label, showWord, disabledReason } = props;
  const t = useUiText();
  // A view-as session shows the state as text.
  if (disabledReason === READ_ONLY) return <span>{checked ? t('ui.on') : t('ui.off')}</span>;
  const control = renderSwitch({ checked, onChange, label, isOff: Boolean(disabledReason) });
  return (
    <span className="inline-flex items-center gap-2 align-middle">
      {/* One that may get a reason has its tooltip from the start, like a button. */}
      {'disabledReason' in props ? <Tooltip text={disabledReason}>{control}</Tooltip> : control}
      {showWord ? <span aria-hidden>{checked ? t('ui.on') : t('ui.off')}</span> : null}
    </span>
  );
}
