// WorkflowTests
