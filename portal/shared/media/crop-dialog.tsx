import { useEffect, useRef, useState } from 'react';
import { centerCrop, makeAspectCrop, type PercentCrop, ReactCrop } from 'react-image-crop';
import 'react-image-crop/dist/ReactCrop.css';
import { useMessages } from '../../app/messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { formApi, type Reply } from '../../app/api.ts';
import { Form } from '../forms/form.tsx';
import { useForm } from '../forms/use-form.ts';
import { type CropArea, cutImage, drawArea } from './crop-image.ts';
import './crop-dialog.css';

export type Media = Reply<'uploadMedia'>;

type Props = {
  image: ImageBitmap;
  filename: string;
  purpose: 'logo' | 'avatar';
  /** The text for readers who do not see the image; a form field, where there is one. */
  altText: string;
  /** Called with the stored image before the dialog closes: it puts it in use. */
  onStored: (media: Media) => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
};

/** The logo is an agency's, whose face is in English. */
const LOGO = { title: 'Crop the logo', action: 'Save logo' };
/** Pixels of the longer side that is stored. */
const SIDES = { logo: 1024, avatar: 512 } as const;

/** Largest side of the image on the screen. */
const SHOWN_MAX = 900;

/** Crops an image with the mouse, by touch or with the arrow keys, shows how it will look, and stores the part that was chosen. */
export function CropDialog({ image, filename, purpose, altText, onStored, onDone, onClose }: Props) {
  const { t } = useMessages();
  const [area, setArea] = useState<PercentCrop>(() => firstArea(image, purpose));
  const { title, action } = purpose === 'logo' ? LOGO : { title: t('picture.crop'), action: t('picture.save') };
  const form = useForm({
    saved: { altText },
    send: async (values) => {
      const body = new FormData();
      body.set('purpose', purpose);
      body.set('altText', values.altText.trim());
      body.set('file', await cutImage(image, area, SIDES[purpose]), `${filename.replace(/\.[^.]*$/, '') || purpose}.png`);
      return onStored(await formApi.uploadMedia({ body }));
    },
    onSaved: onDone,
    keepValues: true,
  });
  const isEmpty = area.width === 0 || area.height === 0;
  return (
    <Dialog open wide onClose={onClose} title={title}>
      <Form form={form} className="grid gap-4">
        <p className="text-ink-2">{t('picture.frame')}</p>
        <div className="crop-dialog-stage">
          <ReactCrop
            className="ReactCrop--no-animate"
            crop={area}
            onChange={(_, percent) => setArea(percent)}
            {...(purpose === 'avatar' ? { aspect: 1, circularCrop: true } : {})}
            minWidth={16}
            minHeight={16}
            keepSelection
          >
            <Picture image={image} area={WHOLE} max={SHOWN_MAX} className="crop-dialog-image" />
          </ReactCrop>
        </div>
        <Previews image={image} area={area} purpose={purpose} />
        {purpose === 'logo' ? (
          <TextField
            label="Text in place of the logo"
            hint="Read aloud, and shown where images are off: usually the name of the agency"
            maxLength={300}
            required
            {...form.input('altText')}
          />
        ) : null}
        <DialogActions>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" inactive={isEmpty} busy={form.isBusy && t('ui.saving')}>
            {action}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

const WHOLE: CropArea = { x: 0, y: 0, width: 100, height: 100 };

/** A logo begins whole; a picture with the largest centred square. */
function firstArea({ width, height }: ImageBitmap, purpose: Props['purpose']): PercentCrop {
  if (purpose === 'logo') return { unit: '%', ...WHOLE };
  const share = width > height ? { height: 100 } : { width: 100 };
  return centerCrop(makeAspectCrop({ unit: '%', ...share }, 1, width, height), width, height);
}

/** How the chosen part looks: a logo in both themes, a picture in two sizes. */
function Previews({ image, area, purpose }: { image: ImageBitmap; area: CropArea; purpose: Props['purpose'] }) {
  const { t } = useMessages();
  if (purpose === 'avatar')
    return (
      <div className="flex items-center gap-4" aria-hidden>
        <Picture image={image} area={area} max={192} className="size-16 rounded-full border border-line object-cover" />
        <Picture image={image} area={area} max={96} className="size-6 rounded-full border border-line object-cover" />
        <span className="text-xs text-ink-3">{t('picture.appears')}</span>
      </div>
    );
  return (
    <div className="grid grid-cols-2 gap-3" aria-hidden>
      {(['light', 'dark'] as const).map((theme) => (
        <div
          key={theme}
          style={{ colorScheme: theme }}
          className="flex h-14 min-w-0 items-center gap-2 rounded-md border border-line bg-surface px-3 text-ink-3"
        >
          <Picture image={image} area={area} max={480} className="max-h-6.5 max-w-27.5 rounded-sm bg-white object-contain" />
          <span className="truncate text-xs">{theme === 'light' ? 'Light theme' : 'Dark theme'}</span>
        </div>
      ))}
    </div>
  );
}

function Picture({ image, area, max, className }: { image: ImageBitmap; area: CropArea; max: number; className: string }) {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (ref.current) drawArea(ref.current, image, area, max);
  }, [image, area, max]);
  return <canvas ref={ref} className={className} />;
}
