import { Button, Field } from '@canvass/console-ui';
import { useState } from 'react';
import styles from './forms.module.css';
import { useSettingsTexts } from './settings-texts';

/** A data URL in base64 has 64 KiB at most. */
const maxBytes = 48_000;

/** The picture above a form, which is stored as a data URL. */
export function LogoField({ logo, setLogo }: { logo: string; setLogo(logo: string): void }) {
  const texts = useSettingsTexts();
  const [isTooLarge, setTooLarge] = useState(false);
  const read = (file: File | undefined) => {
    setTooLarge((file?.size ?? 0) > maxBytes);
    if (file === undefined || file.size > maxBytes) return;
    const reader = new FileReader();
    reader.onload = () => setLogo(String(reader.result));
    reader.readAsDataURL(file);
  };
  return (
    <div>
      <Field
        label={texts.logo}
        hint={isTooLarge ? texts.logoTooLarge : texts.logoHint}
        type="file"
        accept="image/png,image/jpeg,image/svg+xml"
        onChange={(event) => read(event.target.files?.[0])}
      />
      {logo !== '' && (
        <div className={styles.logo}>
          <img src={logo} alt={texts.logo} />
          <Button look="quiet" onClick={() => setLogo('')}>
            {texts.removeLogo}
          </Button>
        </div>
      )}
    </div>
  );
}
