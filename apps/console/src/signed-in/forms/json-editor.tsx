import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import {
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import styles from './definition.module.css';

/** A part of the text with a message. */
interface Marked {
  from: number;
  to: number;
  isError: boolean;
  message: string;
}

interface JsonEditorProps {
  /** Names it for screen readers. */
  label: string;
  value: string;
  setValue(text: string): void;
  isReadOnly: boolean;
  marks: readonly Marked[];
  /** The place to put the cursor; each new object moves it. */
  target: { at: number } | null;
}

const theme = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--surface)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', maxHeight: '65vh' },
  '.cm-content, .cm-gutter': { minHeight: '240px' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-gutters': { color: 'var(--ink-soft)', backgroundColor: 'var(--ground)', border: '0' },
  '.cm-activeLine': { backgroundColor: 'transparent', boxShadow: 'inset 2px 0 var(--accent)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)' },
  '.cm-tooltip': { color: 'var(--ink)', backgroundColor: 'var(--raised)', border: '1px solid var(--line)' },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
]);

/**
 * An editor of JSON. It is in a shadow root, where its styles are adopted sheets: the policy of the page
 * permits no `<style>` element.
 */
export default function JsonEditor({ label, value, setValue, isReadOnly, marks, target }: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const changed = useRef(setValue);
  const first = useRef(value);
  useEffect(() => {
    changed.current = setValue;
  });
  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          lineNumbers(),
          lintGutter(),
          history(),
          bracketMatching(),
          indentOnInput(),
          highlightActiveLine(),
          // What is invisible or changes the direction is shown as a sign.
          highlightSpecialChars(),
          json(),
          syntaxHighlighting(colours),
          theme,
          EditorView.lineWrapping,
          EditorState.readOnly.of(isReadOnly),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }), // axe sees no other focus
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) changed.current(state.doc.toString());
          }),
        ],
      }),
    });
    editor.current = view;
    return () => {
      first.current = view.state.doc.toString();
      view.destroy();
    };
  }, [label, isReadOnly]);
  useEffect(() => {
    const view = editor.current!;
    if (view.state.doc.toString() === value) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
  }, [value, label, isReadOnly]);
  useEffect(() => {
    const view = editor.current!;
    const { length } = view.state.doc;
    const diagnostics = marks
      .filter(({ to }) => to <= length)
      .map(({ from, to, isError, message }) => ({
        from,
        to,
        message,
        severity: isError ? ('error' as const) : ('warning' as const),
      }));
    view.dispatch(setDiagnostics(view.state, diagnostics));
  }, [marks, label, isReadOnly]);
  useEffect(() => {
    const view = editor.current!;
    if (target === null) return;
    view.dispatch({
      selection: { anchor: Math.min(target.at, view.state.doc.length) },
      scrollIntoView: true,
    });
    view.focus();
  }, [target]);
  return <div ref={host} className={styles.editor} dir="ltr" />;
}
