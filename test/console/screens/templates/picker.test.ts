import {expect, test} from 'vitest';
import {openTorch} from '../rent/open-rent.ts';

/** The rent form with a template in it, and the picker over it with another one under the cursor. */
async function openPicker() {
	const rentty = await openTorch({settings: {templateHash: null}});
	await rentty.openForm();
	await rentty.keys('\u0014');
	await rentty.sees('> torch');
	return rentty;
}

test('the template under the cursor is put into the form, and the form is back', async () => {
	await using rentty = await openPicker();
	await rentty.keys('\r');
	const form = await rentty.sees('picked (Ctrl-T)');
	expect(form).toMatch(/template +torch +hash \.\./);
	expect(form).toMatch(/image +a\/torch:2\.6 +template/);
	expect(form).toContain('> [ Review and rent ]');
});

test('Esc goes back to the form with the template that it had', async () => {
	await using rentty = await openPicker();
	await rentty.keys('\u001B');
	expect(await rentty.sees('Review and rent')).toMatch(/template +PyTorch /);
});

test('nothing but picking can be done with a template there', async () => {
	await using rentty = await openPicker();
	await rentty.keys('xeNb2');
	expect(await rentty.sees('> torch')).toContain('Enter take it');
});

test('a template says how many offers it fits at present, and what the cheapest costs with its disk', async () => {
	await using rentty = await openTorch({
		template: {name: 'torch', image: 'a/b', recommended_disk_space: 20},
	});
	await rentty.keys('3');
	await rentty.sees('torch   private');
	await rentty.keys('\r');
	const page = await rentty.sees(/offers +\d+ at present, the cheapest \$\d/);
	const price = /cheapest (\S+) with 20 GB/.exec(page)?.[1];
	await rentty.keys('r');
	expect(await rentty.sees('Review and rent')).toContain(`ALL-IN ${price}`);
});
