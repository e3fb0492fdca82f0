import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');

/** A word or phrase that texts must not contain. */
export interface BannedWord {
  word: string;
  replacement: string;
  pattern: RegExp;
}

/** The lines of a list in this folder, without comments and blank lines. */
export function readList(file: string): string[] {
  const lines = readFileSync(path.join(__dirname, file), 'utf8').split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}

/** Reads `banned-words.txt`. A phrase also matches across a line break within a comment. */
export function readBannedWords(): BannedWord[] {
  return readList('banned-words.txt').map((line) => {
    const [word = '', replacement = ''] = line.split('=').map((part) => part.trim());
    if (!/^[a-z]+( [a-z]+)*$/.test(word) || replacement === '') throw new Error(`Not a banned word: ${line}`);
    const gap = String.raw`\s+(?:(?:\*|//|#|>)\s+)?`;
    return { word, replacement, pattern: new RegExp(`\\b${word.replaceAll(' ', gap)}\\b`, 'gi') };
  });
}

/** All tracked files with their texts, except binary files and files that the working copy has deleted. */
export function readTrackedTexts(): { file: string; text: string }[] {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  const deleted = new Set(execFileSync('git', ['ls-files', '-dz'], options).split('\0'));
  return (
    execFileSync('git', ['ls-files', '-z'], options)
      .split('\0')
      .filter((file) => file !== '' && !deleted.has(file))
      // A symbolic link may lead to a folder; what it leads to is tracked itself.
      .filter((file) => !lstatSync(path.join(root, file)).isSymbolicLink())
      .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))
      .filter(({ text }) => !text.includes('\0'))
  );
}

/** Whether `file` is one of `paths` or in one of these folders. */
export const isUnder = (file: string, paths: readonly string[]): boolean =>
  paths.some((entry) => file === entry || file.startsWith(`${entry}/`));

/** Finds banned words in the path and the text of a file: `path:line: "word" -> replacement`. */
export function findBannedWords(file: string, text: string, banned: readonly BannedWord[]): string[] {
  return banned.flatMap(({ word, replacement, pattern }) => {
    const named = [...splitNames(file).matchAll(pattern)].map(() => `${file}`);
    const words = splitNames(text);
    const written = [...words.matchAll(pattern)].map(
      ({ index }) => `${file}:${words.slice(0, index).split('\n').length}`,
    );
    return [...named, ...written].map((place) => `${place}: "${word}" -> ${replacement}`);
  });
}

/** Separates the words of camelCase, snake_case and kebab-case names; keeps line breaks. */
const splitNames = (text: string): string =>
  text.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replace(/[_-]/g, ' ');
