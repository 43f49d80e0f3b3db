import clsx from 'clsx';
import { type ReactNode, use } from 'react';
import { READ_ONLY } from './read-only.ts';
import { HeldActions, useHoldOpen } from '../overlays/hold-open.ts';
import { Tooltip } from '../overlays/tooltip.tsx';
import { buttonClass, type PlainButtonProps, renderButton } from './plain-button.tsx';

export { buttonClass, type ButtonKind, type ButtonSize } from './plain-button.tsx';

type ButtonProps = PlainButtonProps & {
  /** Why it cannot be used now, shown as a tooltip. The button stays focusable. In a view-as session it is not rendered. */
  disabledReason?: ReactNode;
};

/** A button; while it is busy, the dialog around it stays open. */
export function Button(props: ButtonProps) {
  const { disabledReason, inactive, ...rest } = props;
  const isHeld = use(HeldActions);
  useHoldOpen(Boolean(rest.busy));
  if (disabledReason === READ_ONLY) return null;
  const button = renderButton({ ...rest, inactive: Boolean(disabledReason) || Boolean(inactive) || isHeld });
  // A button with a `disabledReason` prop always has a tooltip: wrapping it later would create a new element and lose the focus.
  return 'disabledReason' in props ? <Tooltip text={disabledReason}>{button}</Tooltip> : button;
}

/** A square button with an icon; `label` is its accessible name and is shown on hover. */
export function IconButton({
  label,
  size = 'md',
  kind = 'quiet',
  className,
  children,
  disabledReason,
  ...rest
}: Omit<ButtonProps, 'icon' | 'busy'> & { label: string }) {
  if (disabledReason === READ_ONLY) return null;
  return (
    <Tooltip text={disabledReason ?? label}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        aria-disabled={disabledReason ? true : undefined}
        onClick={disabledReason ? undefined : rest.onClick}
        className={buttonClass(kind, size, clsx('button-square', className))}
      >
        {children}
      </button>
    </Tooltip>
  );
}
