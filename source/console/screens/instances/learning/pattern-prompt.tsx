import {useEffect, useState} from 'react';
import {reasonOf} from '../../../../renter/actions/instance-actions.ts';
import {sentence} from '../../../../renter/text/format.ts';
import {MOST_PATTERNS, patternProblem} from '../../../../renter/training/own-patterns.ts';
import {previewPattern} from '../../../../renter/training/pattern-preview.ts';
import type {ScreenProps} from '../../../services/router.ts';
import {useRenting, useServices} from '../../../services/services.tsx';
import {Prompt} from '../../dialogs.tsx';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly id: number;
	readonly onChange: () => void;
	readonly onClose: () => void;
};

/** Lines around those of the log, and most of those that are shown. */
const OTHER_LINES = 12;
const MOST_SHOWN = 6;
/** With fewer lines there are fewer hints. */
const LOW_ROWS = 14;

const hints = [
	'{step} {of} {loss} {lr} {tokens} {grad} {seconds} {epoch}',
	'{done} {checkpoint} {eval}, * for anything, all else as it',
	'stands, such as: it {step}/{of} | L={loss}',
];

const keptWords = (count: number) =>
	`${count} of ${MOST_PATTERNS} kept: Up recalls one, Enter then lets go of it`;

/** Asks for a pattern of one's own, and shows what it reads in the last lines of the log. */
export function PatternPrompt({id, size, say, onChange, onClose}: Props) {
	const {settings} = useServices();
	const {trainings} = useRenting();
	const [lines, setLines] = useState<readonly string[] | string>('Reading the log.');
	useEffect(() => {
		trainings.lines(id).then(setLines, error => setLines(`No log: ${reasonOf(error)}`));
	}, [trainings, id]);
	const {runPatterns: kept} = settings.get();
	const isLow = size.rows < LOW_ROWS;
	const room = Math.max(1, Math.min(MOST_SHOWN, Math.floor((size.rows - OTHER_LINES) / 2)));
	const send = (text: string) => {
		const isKept = kept.includes(text);
		const others = kept.filter(one => one !== text);
		settings.change({runPatterns: isKept ? others : [...others, text]});
		say({text: isKept ? `Let go of: ${text}` : `Kept: ${text}`, isError: false});
		onChange();
	};
	return (
		<Prompt
			title="A pattern of your own for lines of logs"
			name="pattern"
			initial=""
			lines={isLow ? hints.slice(0, 1) : [...hints, keptWords(kept.length)]}
			history={kept}
			size={size}
			refuse={text => refusalOf(text, kept)}
			preview={text => previewLines(text, lines, room).slice(isLow ? 1 : 0)}
			onSend={send}
			onClose={onClose}
		/>
	);
}

function refusalOf(text: string, kept: readonly string[]): string | undefined {
	if (kept.includes(text)) return undefined;
	const problem = patternProblem(text);
	if (problem !== undefined) return sentence(problem);
	const isFull = kept.length >= MOST_PATTERNS;
	return isFull ? `There are ${MOST_PATTERNS} patterns already.` : undefined;
}

function previewLines(
	text: string,
	lines: readonly string[] | string,
	room: number,
): readonly string[] {
	if (typeof lines === 'string') return [' ', lines];
	const {problem, count, of, last} = previewPattern(text, lines, room);
	if (problem !== undefined) return [];
	const head = `It matches ${count} of the last ${of} lines of the log.`;
	return [' ', head, ...last.flatMap(one => [one.text, `  > ${one.gives ?? 'no match'}`])];
}
