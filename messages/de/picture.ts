import type { picture as source } from '../en/picture.ts';

export const picture: Readonly<Record<keyof typeof source, string>> = {
  'picture.crop': 'Bild zuschneiden',
  'picture.save': 'Bild speichern',
  'picture.frame':
    'Ziehen Sie am Rahmen oder an seinen Ecken. Mit der Tastatur erreichen Sie diese mit der Tabulatortaste und bewegen sie mit den Pfeiltasten.',
  'picture.appears': 'So wird es angezeigt',
  'picture.replace': 'Bild ersetzen',
  'picture.upload': 'Bild hochladen',
  'picture.remove': 'Entfernen',
  'picture.removing': 'Wird entfernt',
  'picture.file': 'Datei des Bildes',
  'picture.formats': 'PNG, JPG oder WebP. Sie wählen den Ausschnitt, der gezeigt wird.',
  'picture.unreadable': 'Diese Datei kann nicht gelesen werden.',
  'picture.wrong-type': 'Wählen Sie ein Bild als PNG, JPG oder WebP.',
  'picture.too-large': 'Dieses Bild ist größer als 20 MB. Wählen Sie ein kleineres.',
  'picture.damaged': 'Diese Datei lässt sich nicht als Bild lesen. Sie ist möglicherweise beschädigt.',
  'picture.too-many-pixels': 'Dieses Bild ist für den Browser zu groß. Wählen Sie ein kleineres.',
};
