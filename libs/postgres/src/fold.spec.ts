import { fold } from './fold';

describe('fold', () => {
  it.each([
    ['Álava', 'alava'],
    ['Mérida', 'merida'],
    ['İstanbul', 'istanbul'],
    ['ISTANBUL', 'istanbul'],
    ['ISPARTA', 'isparta'],
    ['ısparta', 'isparta'],
    ['Čačak', 'cacak'],
    ['Ελλάδα', 'ελλαδα'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδός', 'οδοσ'],
    ['Москва', 'москва'],
    ['São Tomé', 'sao tome'],
    ['Łódź', 'lodz'],
    ['Straße', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['Ærø', 'aero'],
    ['Œuvre', 'oeuvre'],
    ['Đakovo', 'dakovo'],
    ['Þingvellir', 'thingvellir'],
    ['Côte d’Ivoire', "cote d'ivoire"],
    ['Guinea–Bissau', 'guinea-bissau'],
    ['“quoted”', '"quoted"'],
    ['«‹quoted›»', `"'quoted'"`],
    ['ﬁne ｆｕｌｌ', 'fine full'],
    ['Việt Nam', 'viet nam'],
    ['Ёлка', 'елка'],
    ['قَلْب', 'قلب'],
    ['שָׁלוֹם', 'שלום'],
    ['کتاب', 'كتاب'],
    ['علی', 'علي'],
    ['فرهنگ‌نامهٔ', 'فرهنگنامه'],
    ['أحمد إبراهيم آمال ٱلله', 'احمد ابراهيم امال الله'],
    ['مدرسة مستشفى', 'مدرسه مستشفي'],
    ['مؤسسة', 'موسسه'],
    ['پاکستان ہے', 'پاكستان هي'],
    ['٣٤٥', '345'],
    ['۱۴۰۵', '1405'],
    ['१२३ ৪৫৬ ๗๘๙', '123 456 789'],
    ['𞥐𞥑 １２', '01 12'],
    ['½', '1/2'],
    ['  a \t\n b  ', 'a b'],
    ['a\u200bb\u00adc\ufeff', 'abc'],
    ['50%_', '50%_'],
    ['', ''],
  ])('folds %j to %j', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  it('does not depend on how the accents are composed', () => {
    for (const text of ['Łódź', 'Ǻngström', 'Việt', 'が', '한국', 'कि']) {
      expect(fold(text.normalize('NFD'))).toBe(fold(text.normalize('NFC')));
    }
  });

  it('keeps different letters of a script distinct', () => {
    expect(fold('が')).not.toBe(fold('か'));
    expect(fold('कि')).not.toBe(fold('का'));
    expect(fold('한')).not.toBe(fold('하'));
  });

  it('is idempotent', () => {
    for (const text of ['İSTANBUL', 'Straße', '“Ærø”', '´`', 'ŉ', 'ﬃ']) {
      expect(fold(fold(text))).toBe(fold(text));
    }
  });
});
