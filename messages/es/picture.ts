import type { picture as source } from '../en/picture.ts';

export const picture: Readonly<Record<keyof typeof source, string>> = {
  'picture.crop': 'Recortar la imagen',
  'picture.save': 'Guardar la imagen',
  'picture.frame': 'Arrastre el marco o sus esquinas. Con el teclado, llegue a ellas con el tabulador y use las flechas.',
  'picture.appears': 'Así se ve',
  'picture.replace': 'Cambiar la imagen',
  'picture.upload': 'Subir una imagen',
  'picture.remove': 'Eliminar',
  'picture.removing': 'Eliminando',
  'picture.file': 'Archivo de la imagen',
  'picture.formats': 'PNG, JPG o WebP. Usted elige la parte que se muestra.',
  'picture.unreadable': 'No se puede leer este archivo.',
  'picture.wrong-type': 'Elija una imagen PNG, JPG o WebP.',
  'picture.too-large': 'Esta imagen pesa más de 20 MB. Elija otra más pequeña.',
  'picture.damaged': 'No se puede leer este archivo como imagen. Puede estar dañado.',
  'picture.too-many-pixels': 'Esta imagen es demasiado grande para el navegador. Elija otra más pequeña.',
};
