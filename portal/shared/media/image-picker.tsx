import { ImageUp } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { useMessages } from '../../app/messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { decodeImage, UnreadableImage } from './crop-image.ts';
import type { Media } from './crop-dialog.tsx';
import { IMAGE_ACCEPT } from './image-rules.ts';

// Loaded on demand: the crop library is needed only for an upload.
const CropDialog = lazy(() => import('./crop-dialog.tsx').then((module) => ({ default: module.CropDialog })));

type Props = {
  purpose: 'logo' | 'avatar';
  /** The image or placeholder shown now. */
  current: ReactNode;
  hasImage: boolean;
  altText: string;
  refusal: string | undefined;
  size?: 'md' | 'lg';
  /** Puts a stored image in use. */
  onStored: (media: Media) => Promise<unknown>;
  onDone: () => void;
  onRemove: () => void;
  isRemoving: boolean;
};

/** The logo is an agency's, whose face is in English. */
const LOGO = { replace: 'Replace logo', upload: 'Upload logo', file: 'File of the logo' };

type Picked = { image: ImageBitmap; filename: string };

/** The image that is in use, with buttons to replace it by a crop of a file, and to remove it. */
export function ImagePicker({ purpose, current, hasImage, altText, refusal, size = 'md', onStored, onDone, onRemove, isRemoving }: Props) {
  const { t } = useMessages();
  const [picked, setPicked] = useState<Picked>();
  const [problem, setProblem] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const words = purpose === 'logo' ? LOGO : { replace: t('picture.replace'), upload: t('picture.upload'), file: t('picture.file') };
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setProblem(undefined);
    try {
      setPicked({ image: await decodeImage(file), filename: file.name });
    } catch (error) {
      setProblem(t(error instanceof UnreadableImage ? `picture.${error.problem}` : 'picture.unreadable'));
    }
  };
  const close = (): void => {
    picked?.image.close();
    setPicked(undefined);
  };
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        {current}
        <div className="flex flex-wrap gap-2">
          <Button size={size} icon={<ImageUp aria-hidden />} disabledReason={refusal} onClick={() => input.current?.click()}>
            {hasImage ? words.replace : words.upload}
          </Button>
          {hasImage ? (
            <Button size={size} kind="quiet" disabledReason={refusal} busy={isRemoving && t('picture.removing')} onClick={onRemove}>
              {t('picture.remove')}
            </Button>
          ) : null}
        </div>
      </div>
      <input
        ref={input}
        type="file"
        accept={IMAGE_ACCEPT.join(',')}
        aria-label={words.file}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          void take(event.target.files?.[0]);
          // Reset, so that picking the same file again fires a change event.
          event.target.value = '';
        }}
      />
      {problem ? (
        <p role="alert" className="mt-2 text-bad">
          {problem}
        </p>
      ) : (
        <p className="mt-2 text-xs text-ink-3">{t('picture.formats')}</p>
      )}
      {picked ? (
        <Suspense>
          <CropDialog
            image={picked.image}
            filename={picked.filename}
            purpose={purpose}
            altText={altText}
            onStored={onStored}
            onDone={() => {
              close();
              onDone();
            }}
            onClose={close}
          />
        </Suspense>
      ) : null}
    </div>
  );
}
