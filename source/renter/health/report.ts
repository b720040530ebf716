/**
 * The report of an examination as lines: for the command's output, and for the host. It contains no
 * secrets.
 */
import {count, sentence} from '../text/format.ts';
import type {Examination} from './examine.ts';
import type {HealthVerdict, Whole} from './finding.ts';

const signs: Readonly<Record<HealthVerdict, string>> = {
	ok: '✓',
	warn: '!',
	fail: '✗',
	unknown: '?',
};
const verdictTexts: Readonly<Record<HealthVerdict, string>> = {
	ok: 'ok',
	warn: 'warn',
	fail: 'FAIL',
	unknown: '?',
};

const NAMES = 10;

/** "FAILING: 1 fail, 2 warn, 11 ok". */
export function examinationSummary({whole, findings}: Examination): string {
	const parts = (['fail', 'warn', 'ok', 'unknown'] as const).flatMap(verdict => {
		const {length} = findings.filter(finding => finding.verdict === verdict);
		return length === 0
			? []
			: [`${count(length)} ${verdict === 'unknown' ? 'not known' : verdict}`];
	});
	return parts.length === 0 ? whole : `${whole}: ${parts.join(', ')}`;
}

/** A sentence for each check, or about the SSH login if there are no checks. */
export function findingLines(
	{findings, problem}: Examination,
	style: 'signs' | 'words',
): ReadonlyArray<{readonly verdict: HealthVerdict; readonly head: string; readonly says: string}> {
	const label = (verdict: HealthVerdict) =>
		style === 'signs' ? signs[verdict] : verdictTexts[verdict].padEnd(4);
	const all =
		problem === undefined
			? findings
			: [{check: 'way in', verdict: 'unknown' as const, says: problem}];
	return all.map(({check, verdict, says}) => ({
		verdict,
		head: `${label(verdict)} ${check.padEnd(NAMES)} `,
		says: sentence(says),
	}));
}

export function reportText(name: string, examination: Examination): string {
	const lines = findingLines(examination, 'words').map(({head, says}) => `  ${head}${says}`);
	const gpus = examination.gpus.map(uuid => `  ${uuid}`);
	return [`${name}  ${examinationSummary(examination)}`, ...lines, ...gpus].join('\n');
}

/** True if something that was paid for is missing. */
export function isLacking(whole: Whole): boolean {
	return whole === 'NOT AS ORDERED' || whole === 'FAILING';
}
