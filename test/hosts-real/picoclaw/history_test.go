// One session of an agent, as the table of scenes has it for every host.
package agent

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestHistory plays the session in the file that POLICY_SESSION names, and prints what the model got and which files are there.
func TestHistory(t *testing.T) {
	var session struct {
		Policies string
		Files    map[string]string
		Script   []string
	}
	text, err := os.ReadFile(os.Getenv("POLICY_SESSION"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &session); err != nil {
		t.Fatal(err)
	}
	loop, model, _ := policyLoop(t, session.Policies)
	for name, content := range session.Files {
		_ = os.MkdirAll(filepath.Dir(name), 0o755)
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, requests := model.play(loop, "do it", session.Script...)
	made := []string{}
	_ = filepath.WalkDir(".", func(path string, _ fs.DirEntry, _ error) error {
		made = append(made, path)
		return nil
	})
	fmt.Printf("\nplayed %s\n", asJSON(map[string]any{"requests": requests, "made": made}))
}
