/** Choosing a picture. */
export const picture = {
  'picture.crop': 'Crop the picture',
  'picture.save': 'Save picture',
  'picture.frame': 'Drag the frame or its corners. With the keyboard, press Tab to reach them and use the arrow keys.',
  'picture.appears': 'As it appears',
  'picture.replace': 'Replace picture',
  'picture.upload': 'Upload picture',
  'picture.remove': 'Remove',
  'picture.removing': 'Removing',
  'picture.file': 'File of the picture',
  'picture.formats': 'PNG, JPG or WebP. You choose the part that is shown.',
  'picture.unreadable': 'This file cannot be read.',
  'picture.wrong-type': 'Choose a PNG, JPG or WebP image.',
  'picture.too-large': 'This image is larger than 20 MB. Choose a smaller one.',
  'picture.damaged': 'This file cannot be read as an image. It may be damaged.',
  'picture.too-many-pixels': 'This image is too large for the browser. Choose a smaller one.',
} as const;
