/**
 * Progress in the tab or the task bar of the terminal (OSC 9;4), if it interprets that as progress.
 */

type Environment = Readonly<Record<string, string | undefined>>;

/** Progress of work: none, of unknown length, or a percentage. */
export type Progress = 'none' | 'some' | number;

/** Bytes that show progress; none for terminals that would show them as a notification. */
export function progressSequence(progress: Progress, environment: Environment): string {
	if (!showsProgress(environment)) return '';
	if (progress === 'none') return '\u001B]9;4;0\u0007';
	if (progress === 'some') return '\u001B]9;4;3\u0007';
	return `\u001B]9;4;1;${Math.round(Math.max(0, Math.min(progress, 100)))}\u0007`;
}

const programs = new Set(['ghostty', 'WezTerm']);
/** First version of VTE, the terminal of GNOME and others, that shows progress. */
const LEAST_VTE = 8000;

/** True if the terminal identifies itself as one of those; a multiplexer does not pass it on. */
function showsProgress(environment: Environment): boolean {
	const valueOf = (name: string) => environment[name] ?? '';
	if (valueOf('TMUX') !== '' || valueOf('STY') !== '') return false;
	return (
		valueOf('WT_SESSION') !== '' ||
		valueOf('ConEmuANSI') === 'ON' ||
		programs.has(valueOf('TERM_PROGRAM')) ||
		valueOf('TERM') === 'xterm-ghostty' ||
		// iTerm2 lists its features as letters; one with a number or small letters behind it is whole.
		/P(?![a-z])/.test(valueOf('TERM_FEATURES')) ||
		Number(valueOf('VTE_VERSION')) >= LEAST_VTE
	);
}
