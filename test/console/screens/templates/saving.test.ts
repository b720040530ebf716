import {expect, test} from 'vitest';
import {openTemplates} from './open-templates.ts';

for (const [columns, rows] of [
	[80, 24],
	[140, 40],
] as const) {
	test(`what cannot be rented is not saved, and the cursor goes to what is, at ${columns}x${rows}`, async () => {
		await using rentty = await openTemplates({columns, rows});
		await rentty.press('n');
		await rentty.sees('Templates > new');
		await rentty.press('other\tbad image name!!\t');
		await rentty.sees(/bad image name!!_ .*expected a name of an image/);
		await rentty.press('\u0015b/other:1\t\t\t\t', '3\t');
		await rentty.sees(/3_ .*expected at least 8 GB/);
		await rentty.press('\u001530\r', '\u001B[F', '\u001B[Z', '\r');
		await rentty.sees('Saved. Its hash is');
		expect(await rentty.sees(/^> +other/m)).toMatch(/^ +torch/m);
		expect(await rentty.find('other')).toMatchObject({recommended_disk_space: 30});
	});
}
