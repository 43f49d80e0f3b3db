import clsx from 'clsx';
import type { ComponentProps, MouseEvent, ReactElement, ReactNode } from 'react';
import { Mark } from '../feedback/mark.tsx';
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

export type PlainButtonProps = Omit<ComponentProps<'button'>, 'disabled'> & {
  kind?: ButtonKind;
  size?: ButtonSize;
  icon?: ReactNode;
  /** The action in progress ("Saving"). The button keeps its width and ignores clicks. */
  busy?: string | false | undefined;
  /** Disabled; the reason is visible next to it (an unticked box, an empty field). */
  inactive?: boolean;
};

/** A button that never needs a tooltip. The login page has no other, because tooltips are a fifth of what it would load. */
export function PlainButton(props: PlainButtonProps) {
  return renderButton(props);
}

/** Returns the element itself, which a tooltip can hold. */
export function renderButton(props: PlainButtonProps): ReactElement {
  const { kind, size, icon, busy, inactive, className, children, onClick, type = 'button', ...rest } = props;
  const isOff = Boolean(inactive) || Boolean(busy);
  // The second click of a double click starts nothing again.
  const startsWork = busy !== undefined;
  const guard = (event: MouseEvent<HTMLButtonElement>): void => {
    if (isOff || (startsWork && event.detail > 1)) event.preventDefault();
    else onClick?.(event);
  };
  return (
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
}
