import { ImageUp } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { decodeImage, UnreadableImage } from './crop-image.ts';
import type { Media } from './crop-dialog.tsx';
import { IMAGE_ACCEPT } from './image-rules.ts';

// With the crop library, which only an upload needs.
const CropDialog = lazy(() => import('./crop-dialog.tsx').then((module) => ({ default: module.CropDialog })));

type Props = {
  purpose: 'logo' | 'avatar';
  /** What is shown now. */
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

type Picked = { image: ImageBitmap; filename: string };

/** The image that is in use, with buttons to replace it by a crop of a file, and to remove it. */
export function ImagePicker({ purpose, current, hasImage, altText, refusal, size = 'md', onStored, onDone, onRemove, isRemoving }: Props) {
  const [picked, setPicked] = useState<Picked>();
  const [problem, setProblem] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const word = purpose === 'logo' ? 'logo' : 'picture';
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setProblem(undefined);
    try {
      setPicked({ image: await decodeImage(file), filename: file.name });
    } catch (error) {
      setProblem(error instanceof UnreadableImage ? error.message : 'This file cannot be read.');
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
            {hasImage ? `Replace ${word}` : `Upload ${word}`}
          </Button>
          {hasImage ? (
            <Button size={size} kind="quiet" disabledReason={refusal} busy={isRemoving && 'Removing'} onClick={onRemove}>
              Remove
            </Button>
          ) : null}
        </div>
      </div>
      <input
        ref={input}
        type="file"
        accept={IMAGE_ACCEPT.join(',')}
        aria-label={`File of the ${word}`}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          void take(event.target.files?.[0]);
          // The same file can be picked again.
          event.target.value = '';
        }}
      />
      {problem ? (
        <p role="alert" className="mt-2 text-bad">
          {problem}
        </p>
      ) : (
        <p className="mt-2 text-xs text-ink-3">PNG, JPG or WebP. You choose the part that is shown.</p>
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
