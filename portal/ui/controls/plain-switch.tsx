import type { ReactElement } from 'react';
import './switch.css';

export type PlainSwitchProps = { checked: boolean; onChange: (checked: boolean) => void; label: string; isOff?: boolean };

/** A switch that never needs a tooltip, for pages that load none. */
export function PlainSwitch(props: PlainSwitchProps) {
  return renderSwitch(props);
}

/** Returns the element itself, which a tooltip can hold. */
export function renderSwitch({ checked, onChange, label, isOff = false }: PlainSwitchProps): ReactElement {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      aria-disabled={isOff ? true : undefined}
      onClick={() => {
        if (!isOff) onChange(!checked);
      }}
      className="switch"
    />
  );
}
