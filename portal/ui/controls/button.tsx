import clsx from 'clsx';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { READ_ONLY } from './read-only.ts';
import { Mark } from '../feedback/mark.tsx';
import { Tooltip } from '../overlays/tooltip.tsx';
import './button.css';

export type ButtonKind = 'primary' | 'default' | 'quiet' | 'danger-text' | 'danger';
export type ButtonSize = 'sm' | 'md' | 'lg';

const KINDS: Record<ButtonKind, string> = {
  primary: 'button-primary',
  default: '',
  quiet: 'button-quiet',
  'danger-text': 'button-danger-text',
  danger: 'button-danger',
};
const SIZES: Record<ButtonSize, string> = { sm: 'button-small', md: '', lg: 'button-large' };

/** Returns the classes of a button, for links that look like one. */
export function buttonClass(kind: ButtonKind = 'default', size: ButtonSize = 'md', extra?: string): string {
  return clsx('button', KINDS[kind], SIZES[size], extra);
}

type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> & {
  kind?: ButtonKind;
  size?: ButtonSize;
  icon?: ReactNode;
  /** The action in progress ("Saving"). The button keeps its width and ignores clicks. */
  busy?: string | false | undefined;
  /** Why it cannot be used now, shown as a tooltip. The button stays focusable. In a view-as session it is not rendered. */
  disabledReason?: ReactNode;
  /** Disabled; the reason is visible next to it (an unticked box, an empty field). */
  inactive?: boolean;
};

export function Button(props: ButtonProps) {
  const { kind, size, icon, busy, disabledReason, inactive, className, children, onClick, type = 'button', ...rest } = props;
  if (disabledReason === READ_ONLY) return null;
  const isOff = Boolean(disabledReason) || Boolean(inactive) || Boolean(busy);
  // The second click of a double click starts nothing again.
  const startsWork = busy !== undefined;
  const guard = (event: MouseEvent<HTMLButtonElement>): void => {
    if (isOff || (startsWork && event.detail > 1)) event.preventDefault();
    else onClick?.(event);
  };
  const button = (
    <button
      {...rest}
      type={type}
      onClick={guard}
      className={buttonClass(kind, size, className)}
      aria-disabled={isOff || undefined}
      aria-busy={busy ? true : undefined}
      data-busy={busy ? '' : undefined}
    >
      <span className="button-content" aria-hidden={busy ? true : undefined}>
        {icon}
        {children}
      </span>
      {busy ? (
        <span className="button-progress">
          <Mark kind="run" />
          {busy}
        </span>
      ) : null}
    </button>
  );
  // One that may get a reason has its tooltip from the start: wrapped later, it would be a new element and lose the focus.
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
