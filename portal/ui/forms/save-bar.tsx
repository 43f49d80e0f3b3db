import { useUiText } from '../text/reader.ts';
import { READ_ONLY } from '../controls/read-only.ts';
import { Button } from '../controls/button.tsx';
import { Mark } from '../feedback/mark.tsx';

/** The foot of a settings form: shows unsaved changes, with Discard and Save. */
export function SaveBar({
  isChanged,
  isNew = false,
  isBusy,
  refusal,
  onDiscard,
}: {
  isChanged: boolean;
  /** Defaults that were never saved can be saved without a change. */
  isNew?: boolean;
  isBusy: boolean;
  refusal: string | undefined;
  onDiscard: () => void;
}) {
  const t = useUiText();
  if (refusal === READ_ONLY) return null;
  return (
    <div className="sticky bottom-0 flex flex-wrap items-center gap-2 border-t border-line bg-canvas py-3.5">
      <p className="mr-auto flex items-center gap-2 text-ink-2" role="status">
        {isChanged || isNew ? (
          <>
            <Mark kind="live" />
            {t('ui.notSaved')}
          </>
        ) : (
          <span className="text-ink-3">{t('ui.allSaved')}</span>
        )}
      </p>
      {isChanged ? (
        <Button kind="quiet" onClick={onDiscard}>
          {t('ui.discard')}
        </Button>
      ) : null}
      <Button kind="primary" type="submit" disabledReason={refusal} inactive={!isChanged && !isNew} busy={isBusy && t('ui.saving')}>
        {t('ui.saveChanges')}
      </Button>
    </div>
  );
}
